/** Which processes bear a mark, found without the help of what is tested. */
import * as Fs from "node:fs"

/** Process ids that have this text in their environment. */
export const bearing = (text: string): ReadonlyArray<number> => {
  if (text.length < 16) throw new RangeError(`too short to be a mark: ${text}`)
  return Fs.readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      return Fs.readFileSync(`/proc/${entry}/environ`, "latin1").includes(text) ? [Number(entry)] : []
    } catch {
      return []
    }
  })
}
