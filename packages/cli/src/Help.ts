/** The first screen of help, and help that stays plain where no terminal shows it. */
import { stripVTControlCharacters } from "node:util"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { version } from "./Version.js"

export const overview = `Pushbutton ${version}: vetted actions for agents, over the Model Context Protocol

Usage: pushbutton COMMAND [options]

Serve a folder of buttons
  stdio            to the program that starts it (a desktop client)
  http             to every client that can reach a port

Work with buttons
  list             show the buttons of a folder
  press NAME       press one here and now
  check            report every problem of a folder, with file and line

Set up clients
  connect CLIENT   show or write the configuration of Claude Desktop, Claude Code,
                   Cursor, VS Code or Codex

pushbutton COMMAND --help explains one command. All take --dir FOLDER; left out, it is
BUTTONS_HOME, else the nearest .buttons of this or an upper folder, else ~/.buttons.`

/** Whether the words ask for the overview and nothing else. */
export const asksForOverview = (words: ReadonlyArray<string>): boolean =>
  words.length === 0 || (words.length === 1 && ["--help", "-h", "help"].includes(words[0] ?? ""))

/** Brings a request for help to the front of its command's options, where alone the command line library sees it. */
export const helpFirst = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [command, ...rest] = words
  return command !== undefined && rest.some((word) => word === "--help" || word === "-h")
    ? [command, "--help"]
    : words
}

/** Drops colours from what an effect prints, unless a terminal shows them. */
export const plainUnlessTerminal = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  if (process.stdout.isTTY && process.env["NO_COLOR"] === undefined) return effect
  return Console.consoleWith((console) => {
    const plain =
      (print: (...texts: ReadonlyArray<string>) => Effect.Effect<void>) =>
      (...texts: ReadonlyArray<unknown>) =>
        print(...texts.map((text) => stripVTControlCharacters(String(text))))
    return Effect.withConsole(effect, { ...console, log: plain(console.log), error: plain(console.error) })
  })
}
