// A server in small, on a folder of buttons: presses one of them, waits for it to end, and prints the result.
// Run as a process of its own: node pressHost.mjs <data folder> <button>
import { load } from "./sourceServer.mjs"

const [, , root, name] = process.argv

const [Buttons, { Press }, Effect] = await load("/src/Buttons.ts", "/src/Press.ts", "effect/Effect")

const dataDir = { root, buttons: `${root}/buttons`, source: "explicit", passedOver: [] }
const result = await Effect.runPromise(
  Effect.provide(
    Effect.flatMap(Press, ({ press }) => press({ name, args: {}, caller: "mcp" })),
    Buttons.layer(dataDir)
  )
)
process.stdout.write(`RESULT ${JSON.stringify(result)}\n`)
