import { assert, describe, it } from "@effect/vitest"
import { assertRight } from "@effect/vitest/utils"
import * as FastCheck from "effect/FastCheck"
import * as jsonc from "jsonc-parser"
import { entryFor, merge, merged, refusal, remoteFor } from "./support/merging.js"

const desktop = entryFor("claude-desktop")
const cursor = entryFor("cursor")

describe("merging into JSON", () => {
  it("makes a whole file when there is none", () => {
    assert.strictEqual(
      merged(undefined, desktop),
      `{
  "mcpServers": {
    "pushbutton": {
      "command": "/node",
      "args": [
        "/p.js"
      ]
    }
  }
}
`
    )
  })

  it.each(["", "\n", "{}", "{}\n"])("makes a whole file from the empty file %j", (text) => {
    const whole = merged(undefined, desktop)
    assert.strictEqual(merged(text, desktop), text === "{}" ? whole.trimEnd() : whole)
  })

  it("adds to the servers that are there, after them, and touches nothing else", () => {
    const text = `{
    "theme":   "dark",
    "mcpServers": {
        "files": { "command": "npx", "args": ["-y", "files"] }
    },
    "zoom": 1.0
}
`
    assert.strictEqual(
      merged(text, desktop),
      `{
    "theme":   "dark",
    "mcpServers": {
        "files": { "command": "npx", "args": ["-y", "files"] },
        "pushbutton": {
            "command": "/node",
            "args": [
                "/p.js"
            ]
        }
    },
    "zoom": 1.0
}
`
    )
  })

  it("adds the servers after other settings, with tabs and CRLF where the file has them", () => {
    assert.strictEqual(
      merged('{\r\n\t"theme": "dark"\r\n}', desktop),
      '{\r\n\t"theme": "dark",\r\n\t"mcpServers": {\r\n\t\t"pushbutton": {\r\n\t\t\t"command": "/node",\r\n' +
        '\t\t\t"args": [\r\n\t\t\t\t"/p.js"\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}'
    )
  })

  it("aligns with the other servers, and keeps the lines before the closing brace", () => {
    assert.strictEqual(
      merged(`{\n  "mcpServers": {\n      "a": {}\n\n }\n}\n`, remoteFor("cursor")),
      `{\n  "mcpServers": {\n      "a": {},\n      "pushbutton": {\n        "url": "http://localhost:1/mcp"\n      }\n\n }\n}\n`
    )
  })

  it("closes on a line of its own where the last member did not", () => {
    assert.strictEqual(
      merged(`{\n  "mcpServers": { "a": {},\n    "b": {} }\n}\n`, remoteFor("cursor")),
      `{\n  "mcpServers": { "a": {},\n    "b": {},\n    "pushbutton": {\n      "url": "http://localhost:1/mcp"\n    }\n  }\n}\n`
    )
  })

  it("opens up empty servers on one line", () => {
    assert.strictEqual(
      merged(`{\n  "mcpServers": {}\n}\n`, remoteFor("cursor")),
      `{\n  "mcpServers": {\n    "pushbutton": {\n      "url": "http://localhost:1/mcp"\n    }\n  }\n}\n`
    )
  })

  it("stays on the line in a file that is one line", () => {
    assert.strictEqual(
      merged(`{"mcpServers":{"a":{"command":"a"}},"b":1}`, desktop),
      `{"mcpServers":{"a":{"command":"a"}, "pushbutton": {"command":"/node","args":["/p.js"]}},"b":1}`
    )
  })

  it("keeps a byte order mark", () => {
    assert.strictEqual(merged(`\uFEFF{}`, desktop), `\uFEFF${merged("{}", desktop)}`)
  })

  it("says that nothing changes when the entry is there", () => {
    assertRight(merge(merged(undefined, desktop), desktop), { _tag: "Unchanged" })
  })

  it("takes an entry that spells out defaults, in another order, for the same", () => {
    const text = `{"mcpServers":{"pushbutton":{"env":{},"args":["/p.js"],"command":"/node","type":"stdio"}}}`
    assertRight(merge(text, desktop), { _tag: "Unchanged" })
  })

  it("does not take another transport for the same", () => {
    const text = `{"mcpServers":{"pushbutton":{"url":"http://localhost:1/mcp"}}}`
    assert.strictEqual(refusal(text, remoteFor("claude-code"))._tag, "EntryDiffers")
  })

  const other = `{
  "mcpServers": {
    "pushbutton": { "command": "old", "disabled": true },
    "z": {}
  }
}
`

  it("shows both entries when another one has the name", () => {
    const error = refusal(other, desktop)
    assert(error._tag === "EntryDiffers")
    assert.strictEqual(error.existing, `    "pushbutton": { "command": "old", "disabled": true }`)
    assert.strictEqual(
      error.proposed,
      `    "pushbutton": {\n      "command": "/node",\n      "args": [\n        "/p.js"\n      ]\n    }`
    )
  })

  it("puts the entry in the place of another one when told to", () => {
    assert.strictEqual(
      merged(other, desktop, true),
      `{
  "mcpServers": {
    "pushbutton": {
      "command": "/node",
      "args": [
        "/p.js"
      ]
    },
    "z": {}
  }
}
`
    )
  })

  const broken: ReadonlyArray<readonly [what: string, text: string, line: number, column: number]> = [
    ["a missing comma", `{\n  "a": 1\n  "b": 2\n}`, 3, 3],
    ["a file that stops short", `{\n  "mcpServers": {`, 2, 18],
    ["text after the end", `{}\n}`, 2, 1],
    ["a comment where the client reads plain JSON", `{\n  // note\n  "a": 1\n}`, 2, 3],
    ["a trailing comma where the client reads plain JSON", `{\n  "a": 1,\n}`, 3, 1]
  ]
  it.each(broken)("names the line of %s", (_, text, line, column) => {
    const error = refusal(text, desktop)
    assert(error._tag === "ConfigBroken")
    assert.deepStrictEqual([error.file, error.line, error.column], ["config", line, column])
  })

  it("refuses nesting that no parser would follow", () => {
    assert.strictEqual(refusal(`{"a":${"[".repeat(200_000)}`, desktop)._tag, "ConfigBroken")
  })

  const uneditable: ReadonlyArray<readonly [what: string, text: string, line: number]> = [
    ["a file that holds a list", "\n[]", 2],
    ["servers that are a list", `{\n  "mcpServers": []\n}`, 2],
    ["servers that are null", `{\n  "mcpServers": null\n}`, 2],
    ["servers that stand twice", `{\n  "mcpServers": {},\n  "mcpServers": {}\n}`, 3],
    ["an entry that stands twice", `{"mcpServers": {\n  "pushbutton": {},\n  "pushbutton": {}\n}}`, 3]
  ]
  it.each(uneditable)("does not guess at %s", (_, text, line) => {
    const error = refusal(text, desktop, true)
    assert(error._tag === "ConfigUneditable")
    assert.strictEqual(error.line, line)
  })
})

describe("merging into JSON with comments", () => {
  it("leaves every comment where it is", () => {
    const text = `// mine
{
  "mcpServers": { // all of them
    /* first */ "a": { "command": "a" } // the only one
    // none below
  }
  // the end
}
`
    assert.strictEqual(
      merged(text, cursor),
      `// mine
{
  "mcpServers": { // all of them
    /* first */ "a": { "command": "a" }, // the only one
    // none below
    "pushbutton": {
      "command": "/node",
      "args": [
        "/p.js"
      ]
    }
  }
  // the end
}
`
    )
  })

  it("keeps the habit of a trailing comma", () => {
    assert.strictEqual(
      merged(`{\n  "mcpServers": {\n    "a": {}, // a, b\n  },\n}\n`, remoteFor("cursor")),
      `{
  "mcpServers": {
    "a": {}, // a, b
    "pushbutton": {
      "url": "http://localhost:1/mcp"
    },
  },
}
`
    )
  })

  it("takes no comma inside a comment for a trailing one", () => {
    assert.strictEqual(
      merged(`{\n  "mcpServers": {\n    "a": {} /* , */\n  }\n}`, remoteFor("cursor")),
      `{\n  "mcpServers": {\n    "a": {}, /* , */\n    "pushbutton": {\n      "url": "http://localhost:1/mcp"\n    }\n  }\n}`
    )
  })

  it("adds after a file of comments only", () => {
    assert.strictEqual(
      merged("// servers go here\n", remoteFor("vscode")),
      `// servers go here
{
  "servers": {
    "pushbutton": {
      "type": "http",
      "url": "http://localhost:1/mcp"
    }
  }
}
`
    )
  })

  it("adds to an object that holds a comment only", () => {
    assert.strictEqual(
      merged(`{\n  "mcpServers": {\n    // soon\n  }\n}`, remoteFor("cursor")),
      `{\n  "mcpServers": {\n    // soon\n    "pushbutton": {\n      "url": "http://localhost:1/mcp"\n    }\n  }\n}`
    )
  })
})

const key = FastCheck.oneof(FastCheck.constant("pushbutton"), FastCheck.string()).filter(
  (name) => name !== "__proto__"
)
const members = FastCheck.dictionary(key, FastCheck.jsonValue(), { noNullPrototype: true })
const servers = FastCheck.option(members, { nil: undefined })
const indent = FastCheck.constantFrom<string | number>(0, 1, 2, 4, "\t")

/** A document with or without servers, which stand before, between or after the other members. */
const document = FastCheck.tuple(members, servers, members).map(([before, mcpServers, after]) => ({
  ...before,
  ...(mcpServers === undefined ? {} : { mcpServers }),
  ...after
}))

const expected = (before: { readonly [key: string]: unknown }) => {
  const mcpServers = before["mcpServers"]
  const others = typeof mcpServers === "object" ? mcpServers : {}
  return { ...before, mcpServers: { ...others, pushbutton: desktop.value } }
}

const hasRoom = (data: { readonly [key: string]: unknown }) => {
  const mcpServers = Object.hasOwn(data, "mcpServers") ? data["mcpServers"] : {}
  return typeof mcpServers === "object" && mcpServers !== null && !Array.isArray(mcpServers)
}

describe("laws of merging into JSON", () => {
  it.prop(
    "everything else stays equal, in its order, whatever the layout",
    [document.filter(hasRoom), indent, FastCheck.constantFrom("", "\n"), FastCheck.boolean()],
    ([data, unit, end, windows]) => {
      const source = JSON.stringify(data, null, unit) + end
      const text = windows ? source.replaceAll("\n", "\r\n") : source
      const result = merged(text, desktop, true)
      assert.strictEqual(JSON.stringify(JSON.parse(result)), JSON.stringify(expected(JSON.parse(text))))
      assert.strictEqual(result.endsWith("\n"), text.endsWith("\n"))
      if (text.includes("\r\n")) assert.notMatch(result, /[^\r]\n/)
    }
  )

  it.prop("a second merge changes nothing", [document.filter(hasRoom), indent], ([data, unit]) => {
    const once = merged(JSON.stringify(data, null, unit), desktop, true)
    assertRight(merge(once, desktop), { _tag: "Unchanged" })
  })

  it.prop(
    "no byte of a file with comments and trailing commas is lost",
    [document.filter(hasRoom), FastCheck.constantFrom<string | number>(2, 4, "\t"), FastCheck.boolean()],
    ([data, unit, trailing]) => {
      const lines = JSON.stringify(data, null, unit).split("\n")
      const text = lines
        .map((line, index) => {
          const comma = trailing && /[^,{[]$/.test(line) && /^\s*[}\]]/.test(lines[index + 1] ?? "")
          return `${line}${comma ? "," : ""} // ${index}, {`
        })
        .join("\n")
      const result = merged(text, cursor, true)
      const errors: Array<jsonc.ParseError> = []
      const tree = jsonc.parseTree(result, errors, { allowTrailingComma: true })
      const read: unknown = tree === undefined ? undefined : jsonc.getNodeValue(tree)
      assert.deepStrictEqual(errors, [])
      assert.strictEqual(JSON.stringify(read), JSON.stringify(expected(data)))
      if (data["mcpServers"] === undefined || !Object.hasOwn(Object(data["mcpServers"]), "pushbutton")) {
        assert.isTrue(isSpread(text, result))
      }
    }
  )
})

/** Whether the characters of `inner` all stand in `outer`, in their order. */
const isSpread = (inner: string, outer: string): boolean => {
  let at = -1
  return [...inner].every((character) => {
    at = outer.indexOf(character, at + 1)
    return at !== -1
  })
}
