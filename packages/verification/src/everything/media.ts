/** The smallest picture and sound there are. */
import * as Content from "@pushbutton/server/Content"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC"
const wav = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA=="

/** One red pixel. */
export const pngBytes = Either.getOrThrow(Encoding.decodeBase64(png))

/** A millisecond of silence. */
export const wavBytes = Either.getOrThrow(Encoding.decodeBase64(wav))

export const image = Content.image(pngBytes, "image/png")

export const audio = Content.audio(wavBytes, "audio/wav")
