/** Which processes bear a mark, found without the help of what is tested. */
import * as Fs from "node:fs"

/** Process ids that have this text in their environment. */
export const bearing = (text: string): ReadonlyArray<number> => {
  if (text.length < 16) throw new RangeError(`too short to be a mark: ${text}`)
  return names("/proc")
    .filter((pid) => names(`/proc/${pid}/task`).some((thread) => environment(pid, thread).includes(text)))
    .map(Number)
}

const names = (folder: string): ReadonlyArray<string> => {
  try {
    return Fs.readdirSync(folder).filter((entry) => /^\d+$/.test(entry))
  } catch {
    return []
  }
}

/** What becomes another program shows none for a moment; what has no program, or is gone, never does. */
const environment = (pid: string, thread: string): string => {
  try {
    for (let look = 0; look < 100; look++) {
      Fs.readlinkSync(`/proc/${pid}/task/${thread}/exe`)
      const text = Fs.readFileSync(`/proc/${pid}/task/${thread}/environ`, "latin1")
      if (text !== "") return text
    }
  } catch {
    // As one without.
  }
  return ""
}
