// Bare stdio: parses a line, writes the reply.
import { readLines, writeLine } from "./bareLines.mjs"
import { answer, listText } from "./bareTools.mjs"
import { settings } from "./control.mjs"

const list = listText(settings().tools ?? 4)

readLines((line) => {
  const call = JSON.parse(line)
  writeLine(
    call.method === "tools/list" ? `{"jsonrpc":"2.0","id":${call.id},"result":${list}}` : answer(call)
  )
})
