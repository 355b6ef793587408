/** The first screen of help, and how the rest of it is printed. */
import { stripVTControlCharacters } from "node:util"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Misuse from "./Misuse.js"
import { version } from "./Version.js"

export const overview = `Pushbutton ${version}: vetted actions for agents, over the Model Context Protocol

Usage: pushbutton COMMAND [options]

Serve a folder of buttons
  stdio            to the program that starts it (a desktop client)
  http             to every client that can reach a port

Work with buttons
  list             show the buttons of a folder
  press NAME       press one here and now
  history [NAME]   show how the last presses ended
  check            report every problem of a folder, with file and line
  create NAME      make a new one
  enable NAME      let clients see a button, or hide it again: disable NAME
  schema           print the JSON Schema of definitions files

Set up clients
  connect CLIENT   show or write the configuration of Claude Desktop, Claude Code,
                   Cursor, VS Code or Codex

pushbutton COMMAND --help explains one command. All but schema take --dir FOLDER; left
out, it is BUTTONS_HOME, else the nearest .buttons of this or an upper folder, else ~/.buttons.
--definitions FILE, on every command but schema, adds buttons, resources and prompts
of a file in YAML or JSON.`

/** Whether the words ask for the overview and nothing else. */
export const asksForOverview = (words: ReadonlyArray<string>): boolean =>
  words.length === 0 || (words.length === 1 && ["--help", "-h", "help"].includes(words[0] ?? ""))

/** Whether the words ask for the help of one command. */
export const asksForHelp = ([, ...rest]: ReadonlyArray<string>): boolean =>
  rest.some((word) => word === "--help" || word === "-h")

/** Brings a request for help to the front of its command's options, where alone the command line library sees it. */
export const helpFirst = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  asksForHelp(words) ? [...words.slice(0, 1), "--help"] : words

/** `--name=value` as the two words it means: a value may hold another equals sign. */
export const splitOptions = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.flatMap((word) => {
    const equals = word.startsWith("--") ? word.indexOf("=") : -1
    return equals === -1 ? [word] : [word.slice(0, equals), word.slice(equals + 1)]
  })

/** What the command line library says of each option besides its description. */
const filler =
  /^ *(?:A user-defined piece of text\.|A true or false value\.|A floating point number\.|An integer\.|One of the following: .*|This setting is optional\.|This option may be repeated zero or more times\.|This option can be set from environment variables\.)$/

/** Leaves out the filler and the blank lines around it, and writes the usage as it is typed: what may be repeated may be left out. */
export const tidy = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !filler.test(stripVTControlCharacters(line)))
    .map((line) => line.replace(/^\$ (?!pushbutton)/, "$ pushbutton "))
    .map((line) => line.replace(/\((-[^()]+)\)\.\.\./g, "[$1]..."))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd()

/**
 * Drops colours from what an effect prints where no terminal shows them, tidies it when the words ask for help, and says
 * more of their mistakes.
 */
export const printed = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  words: ReadonlyArray<string>
): Effect.Effect<A, E, R> => {
  const isHelp = asksForHelp(words)
  const isPlain = !process.stdout.isTTY || process.env["NO_COLOR"] !== undefined
  const shape = (value: unknown) => {
    const text = isPlain ? stripVTControlCharacters(String(value)) : String(value)
    return isHelp ? tidy(text) : text
  }
  const shapeError = (value: unknown) => Misuse.explained(shape(value), words)
  return Console.consoleWith((console) =>
    Effect.withConsole(effect, {
      ...console,
      log: (...texts) => console.log(...texts.map(shape)),
      error: (...texts) => console.error(...texts.map(shapeError))
    })
  )
}
