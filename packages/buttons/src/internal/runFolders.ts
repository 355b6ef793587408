/** Where the runs of a button are kept. A slug must be a single name. */
import * as Path from "node:path"
import type { DataDir } from "../DataDir.js"
import type { Origin } from "../PressResult.js"
import * as OwnFolder from "./ownFolder.js"

const folder = "pressed"
const definitions = [OwnFolder.hidden, "definitions"]

/** Undefined where none are kept. */
export const pathOf = ({ buttons, root }: DataDir, slug: string, origin: Origin): string | undefined => {
  switch (origin) {
    case "folder":
      return Path.join(buttons, slug, folder)
    case "definitions":
      return Path.join(root, ...definitions, slug, folder)
    case "resource":
      return undefined
  }
}

/**
 * The same folder, which is made for its owner only. A button's own folder is not: it may have been removed while the
 * button ran. Throws the errors of Node.
 */
export const make = ({ buttons, root }: DataDir, slug: string, origin: "folder" | "definitions"): string =>
  origin === "folder"
    ? OwnFolder.makePath(Path.join(buttons, slug), folder)
    : OwnFolder.makePath(root, ...definitions, slug, folder)
