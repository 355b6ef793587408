/** Reads an event stream as it comes. */

export interface Event {
  readonly name: string
  readonly id: string | undefined
  readonly retry: number | undefined
  readonly data: string
}

const eventOf = (text: string): Event | undefined => {
  const fields = text.split("\n").filter((line) => line !== "" && !line.startsWith(":"))
  if (fields.length === 0) return undefined
  const valuesOf = (name: string) =>
    fields
      .filter((line) => line === name || line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ""))
  const retry = valuesOf("retry").at(-1)
  return {
    name: valuesOf("event").at(-1) ?? "message",
    id: valuesOf("id").at(-1),
    retry: retry === undefined ? undefined : Number(retry),
    data: valuesOf("data").join("\n")
  }
}

/** Completes when the stream has ended; fails when it was cut. */
export const read = async (response: Response, onEvent: (event: Event) => void): Promise<void> => {
  if (response.body === null) return
  let rest = ""
  const decoder = new TextDecoder()
  for await (const chunk of response.body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n\n")
    rest = parts.pop() ?? ""
    for (const part of parts) {
      const event = eventOf(part)
      if (event !== undefined) onEvent(event)
    }
  }
}
