import { assert, describe, it } from "@effect/vitest"
import * as Misuse from "../src/Misuse.js"

const explained = (word: string, ...words: ReadonlyArray<string>) =>
  Misuse.explained(`Received unknown argument: '${word}'`, words)

describe("Misuse", () => {
  it("says how an argument of a button is written", () => {
    assert.include(explained("who=Ada", "press", "greet", "who=Ada"), "--arg who=Ada")
    assert.include(explained("Ada", "press", "greet", "Ada"), "--arg key=value")
    assert.strictEqual(explained("Ada", "list", "Ada"), "Received unknown argument: 'Ada'")
  })

  it("tells an option without a value from one that is there twice", () => {
    assert.match(explained("--dir", "list", "--dir"), /^--dir has no value/)
    assert.match(explained("--dir", "list", "--dir", "--json"), /^--dir has no value/)
    assert.match(explained("--dir", "list", "--dir", "a", "--dir", "b"), /^--dir is given more than once/)
    assert.strictEqual(explained("--bogus", "list", "--bogus", "a"), "--bogus is no option of this command")
  })

  it("leaves what it does not know as it is", () => {
    assert.strictEqual(Misuse.explained("Invalid subcommand", ["lst"]), "Invalid subcommand")
  })
})
