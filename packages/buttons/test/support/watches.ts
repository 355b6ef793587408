/** The folders that this process watches, as the kernel lists them. Linux only. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Effect from "effect/Effect"

/** Which of a folder and the folders in it are watched. */
export const watched = (folder: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.sync(() => {
    const inodes = watchedInodes()
    const below = Fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    return [folder, ...below.map(({ name }) => Path.join(folder, name))].filter((path) =>
      inodes.has(Fs.statSync(path).ino)
    )
  })

const watchedInodes = (): ReadonlySet<number> => {
  const inodes = new Set<number>()
  for (const descriptor of Fs.readdirSync("/proc/self/fdinfo")) {
    for (const [, inode = ""] of infoOf(descriptor).matchAll(/^inotify wd:\w+ ino:(\w+)/gm))
      inodes.add(Number.parseInt(inode, 16))
  }
  return inodes
}

/** Empty for a descriptor that was closed meanwhile. */
const infoOf = (descriptor: string): string => {
  try {
    return Fs.readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8")
  } catch {
    return ""
  }
}
