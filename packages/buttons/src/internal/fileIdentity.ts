import * as Fs from "node:fs/promises"
import * as NodeError from "./nodeError.js"

/** Changes whenever the file at the end of all links does; of one that cannot be looked at, why. */
export const of = async (path: string): Promise<string> => {
  try {
    const { ctimeNs, dev, ino, mtimeNs, size } = await Fs.stat(path, { bigint: true })
    return [dev, ino, size, mtimeNs, ctimeNs].join(":")
  } catch (error) {
    return NodeError.code(error)
  }
}
