import { assert, describe, it } from "@effect/vitest"
import { assertRight } from "@effect/vitest/utils"
import * as FastCheck from "effect/FastCheck"
import * as toml from "smol-toml"
import { entryFor, merge, merged, refusal, remoteFor } from "./support/merging.js"

const codex = entryFor("codex")
const remote = remoteFor("codex")
const table = `[mcp_servers.pushbutton]\ncommand = "/node"\nargs = ["/p.js"]\n`

describe("merging into TOML", () => {
  it.each([undefined, ""])("makes a whole file from %j", (text) => {
    assert.strictEqual(merged(text, codex), table)
  })

  const appended: ReadonlyArray<readonly [what: string, text: string, result: string]> = [
    ["a last line", `model = "m"\n`, `model = "m"\n\n${table}`],
    ["a last line that is not ended", `model = "m"`, `model = "m"\n\n${table}`],
    ["a blank line", `model = "m"\n\n`, `model = "m"\n\n${table}`],
    ["a comment", `# mine`, `# mine\n\n${table}`],
    [
      "other servers",
      `[mcp_servers.a]\ncommand = "a" # x\n\n[tui]\nx = 1\n`,
      `[mcp_servers.a]\ncommand = "a" # x\n\n[tui]\nx = 1\n\n${table}`
    ],
    ["CRLF", `a = 1\r\n`, `a = 1\r\n\r\n${table.replaceAll("\n", "\r\n")}`],
    [
      "its own kept sub-table",
      `[mcp_servers.pushbutton.tools.press]\napproval_mode = "approve"\n`,
      `[mcp_servers.pushbutton.tools.press]\napproval_mode = "approve"\n\n${table}`
    ]
  ]
  it.each(appended)("adds its table after %s", (_, text, result) => {
    assert.strictEqual(merged(text, codex), result)
  })

  it("says that nothing changes when the entry is there, however it is written", () => {
    const text = `[ mcp_servers . "pushbutton" ]\nargs = [ # all\n  '/p.js',\n]\ncommand = """/node"""\n`
    assertRight(merge(text, codex), { _tag: "Unchanged" })
  })

  it("says that nothing changes when only its kept sub-tables say more", () => {
    const text = `${table}\n[mcp_servers.pushbutton.tools.press]\napproval_mode = "approve"\n`
    assertRight(merge(text, codex), { _tag: "Unchanged" })
  })

  const other = `# top
model = "m"

# ours
[mcp_servers.pushbutton] # here
command = "old"
args = [
  "]", # a bracket
]
note = '''
[mcp_servers.pushbutton]
command = "not this"
'''

[mcp_servers.pushbutton.env]
A = "1"
# about the next

[mcp_servers.z]
command = "z"
`

  it("shows both entries when another one has the name", () => {
    const error = refusal(other, codex)
    assert(error._tag === "EntryDiffers")
    assert.strictEqual(
      error.existing,
      other.slice(other.indexOf("[mcp_servers.pushbutton] # here"), other.indexOf("\n# about"))
    )
    assert.strictEqual(error.proposed, table.trimEnd())
  })

  it("puts the table in the place of another one when told to, with its env", () => {
    const before = other.slice(0, other.indexOf("[mcp_servers.pushbutton] # here"))
    const after = other.slice(other.indexOf("# about"))
    assert.strictEqual(merged(other, codex, true), `${before}${table}${after}`)
    const env = entryFor("codex", { env: { B: "2" } })
    assert.strictEqual(
      merged(other, env, true),
      `${before}${table}\n[mcp_servers.pushbutton.env]\nB = "2"\n${after}`
    )
  })

  const strings: ReadonlyArray<string> = [
    `'''it's\n[mcp_servers.pushbutton]\n'''`,
    `"""a "quote" and \\"""\n[mcp_servers.pushbutton]\n"""`,
    `"""two at the end\n[a]\n"""""`,
    `"""one at the end\n[a]\n""""`,
    `"\\\\" # "`,
    `'\\' # '`,
    `["[", '''\n]\n''', # ]\n{ a = "}" }]`,
    `{ "a]=" = 1 }`
  ]
  it.each(strings)("finds the end of the value %j", (value) => {
    const text = `[mcp_servers.pushbutton]\ncommand = "old"\n"k=" = ${value}\n# below\n["a]" . 'b']\nc = 1\n`
    assert.strictEqual(merged(text, codex, true), `${table}${text.slice(text.indexOf("# below"))}`)
  })

  it("replaces an env that stands elsewhere, and keeps other sub-tables", () => {
    const text = `[mcp_servers.pushbutton.env]
A = "1"

[mcp_servers.pushbutton.tools.press]
approval_mode = "approve"

[mcp_servers.pushbutton]
command = "old"
env_vars = ["B"]`
    assert.strictEqual(
      merged(text, codex, true),
      `
[mcp_servers.pushbutton.tools.press]
approval_mode = "approve"

${table.trimEnd()}`
    )
  })

  it("replaces an inline env, dotted keys and a URL inside the table", () => {
    const text = `[mcp_servers.pushbutton]\nurl = "http://old"\nhttp_headers.A = "1"\nenv = { A = "1" }\n`
    assert.strictEqual(merged(text, codex, true), table)
  })

  it("replaces an env that has no table above it", () => {
    assert.strictEqual(merged(`[mcp_servers.pushbutton.env]\nA = "1"\n`, codex, true), table)
  })

  const uneditable: ReadonlyArray<readonly [what: string, text: string, line: number]> = [
    ["servers as an inline table", `a = 1\nmcp_servers = { a = { command = "a" } }\n`, 2],
    ["servers as dotted keys", `mcp_servers.a.command = "a"\n`, 1],
    ["the entry as an inline table", `[mcp_servers]\npushbutton = { command = "a" }\n`, 2],
    ["the entry as dotted keys", `[mcp_servers]\n\npushbutton.command = "a"\n`, 3],
    ["the entry under a quoted key", `[mcp_servers]\n"pushbutton" = { command = "a" }\n`, 2],
    ["the entry as a list", `[[mcp_servers.pushbutton]]\ncommand = "a"\n`, 1],
    ["servers as a list", `[[mcp_servers]]\nname = "a"\n`, 1],
    ["servers that are a string", `mcp_servers = "none"\n`, 1]
  ]
  it.each(uneditable)("does not edit %s", (_, text, line) => {
    const error = refusal(text, codex, true)
    assert(error._tag === "ConfigUneditable")
    assert.strictEqual(error.line, line)
  })

  const misfits: ReadonlyArray<readonly [what: string, entry: typeof codex, text: string]> = [
    [
      "HTTP headers beside a command",
      codex,
      `[mcp_servers.pushbutton]\nurl = "http://a"\n[mcp_servers.pushbutton.http_headers]\nA = "1"\n`
    ],
    ["OAuth beside a command", codex, `[mcp_servers.pushbutton.oauth]\nclient_id = "a"\n`],
    [
      "variables beside a URL",
      remote,
      `[mcp_servers.pushbutton]\ncommand = "a"\n[[mcp_servers.pushbutton.env_vars]]\nname = "A"\n`
    ]
  ]
  it.each(misfits)("does not leave %s", (_, entry, text) => {
    assert.strictEqual(refusal(text, entry, true)._tag, "ConfigUneditable")
  })

  it("edits inline tables of other servers around", () => {
    const text = `[mcp_servers]\na = { command = "a" }\nb.command = "b"\n`
    assert.strictEqual(merged(text, codex), `${text}\n${table}`)
  })

  const broken: ReadonlyArray<readonly [what: string, text: string, line: number]> = [
    ["a value that is missing", `a = 1\nb =\n`, 2],
    ["a string that does not end", `a = "x\nb = 1\n`, 1],
    ["a table that stands twice", `[a]\n[b]\n[a]\n`, 3]
  ]
  it.each(broken)("names the line of %s", (_, text, line) => {
    const error = refusal(text, codex)
    assert(error._tag === "ConfigBroken")
    assert.deepStrictEqual([error.file, error.line], ["config", line])
    assert.match(error.detail, /^not valid TOML: \w/)
  })
})

const key = FastCheck.string().filter((name) => name !== "__proto__")
const scalar = FastCheck.oneof(
  FastCheck.string(),
  FastCheck.constantFrom("[mcp_servers.pushbutton]", "'''", '"""', "# no", "a\nb"),
  FastCheck.integer(),
  FastCheck.boolean()
)
const leaf = FastCheck.oneof(scalar, FastCheck.array(scalar))
const members = FastCheck.dictionary(key, FastCheck.oneof(leaf, FastCheck.dictionary(key, leaf)))
const servers = FastCheck.dictionary(key, FastCheck.dictionary(key, leaf, { minKeys: 1 })).filter(
  (named) => !Object.hasOwn(named, "pushbutton")
)
const document = FastCheck.tuple(members, servers).map(([rest, named]) => ({ ...rest, mcp_servers: named }))

describe("laws of merging into TOML", () => {
  it.prop("what was there stays, byte for byte, and a second merge changes nothing", [document], ([data]) => {
    const text = toml.stringify(data)
    const result = merged(text, codex)
    assert.isTrue(result.startsWith(text))
    assert.strictEqual(result.slice(text.length).trimStart(), table)
    assertRight(merge(result, codex), { _tag: "Unchanged" })
  })

  it.prop("only its own table is replaced, wherever it stands", [document, document], ([first, second]) => {
    const below = toml.stringify({ second })
    const old = `[mcp_servers.pushbutton]\ncommand = "old"\n`
    const text = `${toml.stringify(first)}\n# above\n${old}# below\n${below}`
    assert.strictEqual(
      merged(text, codex, true),
      `${toml.stringify(first)}\n# above\n${table}# below\n${below}`
    )
  })
})
