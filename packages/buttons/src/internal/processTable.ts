/** Who is in a process group, from /proc. Elsewhere than on Linux nothing is known, and a group counts as alive. */
import * as Fs from "node:fs/promises"

/** True only when every process of the group, if any is left, is a zombie. */
export const isGroupDead = async (group: number): Promise<boolean> => {
  if (process.platform !== "linux") return false
  try {
    for (const entry of await Fs.readdir("/proc")) {
      if (/^\d+$/.test(entry) && (await isLiveMember(entry, group))) return false
    }
    return true
  } catch {
    return false
  }
}

const isLiveMember = async (pid: string, group: number): Promise<boolean> => {
  const stat = await readStat(pid)
  // The name in parentheses may itself hold blanks and parentheses.
  const [state, , memberOf] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return Number(memberOf) === group && state !== "Z" && state !== "X"
}

/** Empty when the process ended meanwhile. */
const readStat = async (pid: string): Promise<string> => {
  try {
    return await Fs.readFile(`/proc/${pid}/stat`, "utf8")
  } catch {
    return ""
  }
}
