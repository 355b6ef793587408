/** Which processes bear a mark, found without the help of what is tested. */
import * as Fs from "node:fs"

/** Process ids that have this text in their environment. */
export const bearing = (text: string): ReadonlyArray<number> => {
  if (text.length < 16) throw new RangeError(`too short to be a mark: ${text}`)
  return Fs.readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      return environment(entry).includes(text) ? [Number(entry)] : []
    } catch {
      return []
    }
  })
}

/** What becomes another program shows none for a moment. Throws for what has no program, or is gone. */
const environment = (pid: string): string => {
  for (let look = 0; look < 100; look++) {
    Fs.readlinkSync(`/proc/${pid}/exe`)
    const text = Fs.readFileSync(`/proc/${pid}/environ`, "latin1")
    if (text !== "") return text
  }
  return ""
}
