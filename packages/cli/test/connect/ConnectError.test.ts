import { assert, describe, it } from "@effect/vitest"
import * as ConnectError from "../../src/connect/ConnectError.js"

const texts: ReadonlyArray<readonly [error: ConnectError.ConnectError, text: string]> = [
  [
    new ConnectError.HttpNotSupported({ client: "Claude Desktop" }),
    "Claude Desktop cannot take a server by URL from its configuration file; connect it over stdio"
  ],
  [new ConnectError.InvalidServer({ field: "command", detail: "is empty" }), "The command is empty"],
  [
    new ConnectError.NoProjectFile({ client: "Claude Desktop" }),
    "Claude Desktop has no configuration file inside projects"
  ],
  [
    new ConnectError.ConfigBroken({ file: "/c/mcp.json", line: 3, column: 7, detail: "not UTF-8 text" }),
    "/c/mcp.json:3:7: not UTF-8 text; nothing was written"
  ],
  [
    new ConnectError.ConfigUneditable({ file: "/c/mcp.json", line: 3, detail: `"servers" is not an object` }),
    `/c/mcp.json:3: "servers" is not an object; nothing was written`
  ],
  [
    new ConnectError.EntryDiffers({
      file: "/c/mcp.json",
      name: "pushbutton",
      existing: "old",
      proposed: "new"
    }),
    `/c/mcp.json already has another entry named "pushbutton"; nothing was written\n\nThere now:\nold\n\nProposed:\nnew`
  ],
  [
    new ConnectError.ConfigChanged({ file: "/c/mcp.json" }),
    "/c/mcp.json was changed by another program meanwhile; nothing was written, try again"
  ],
  [
    new ConnectError.FileFailed({ file: "/c/mcp.json", step: "read", detail: "Permission denied" }),
    "Cannot read /c/mcp.json: Permission denied"
  ]
]

describe("toText", () => {
  it.each(texts)("tells %s", (error, text) => {
    assert.strictEqual(ConnectError.toText(error), text)
  })
})
