/** Trees as programs of single steps, which all alternatives of a match walk side by side. */
import * as Either from "effect/Either"
import type { Node } from "./parse.js"

export type Instruction =
  | { readonly _tag: "Character"; readonly accepts: (code: number) => boolean }
  | { readonly _tag: "Assertion"; readonly kind: "start" | "end" | "boundary" | "notBoundary" }
  /** Goes on at each of the places. */
  | { readonly _tag: "Fork"; readonly to: Array<number> }
  | { readonly _tag: "Match" }

export type Program = ReadonlyArray<Instruction>

const limit = 5_000

/** Left: the counted repetitions write out to too many steps. */
export const compile = (node: Node): Either.Either<Program, string> => {
  const program: Array<Instruction> = []

  const emit = (node: Node): void => {
    if (program.length > limit) return
    switch (node._tag) {
      case "Character":
        program.push({ _tag: "Character", accepts: accepting(node.source) })
        return
      case "Assertion":
        program.push(node)
        return
      case "Sequence":
        for (const inner of node.nodes) emit(inner)
        return
      case "Choice":
        choice(node.nodes)
        return
      case "Repeat":
        repeat(node)
    }
  }

  const fork = (): Array<number> => {
    const to: Array<number> = []
    program.push({ _tag: "Fork", to })
    return to
  }

  const choice = (nodes: ReadonlyArray<Node>): void => {
    const entry = fork()
    const ends = nodes.map((node) => {
      entry.push(program.length)
      emit(node)
      return fork()
    })
    for (const end of ends) end.push(program.length)
  }

  const repeat = ({ max, min, node }: Extract<Node, { readonly _tag: "Repeat" }>): void => {
    for (let count = 0; count < min && program.length <= limit; count++) emit(node)
    if (max === Number.POSITIVE_INFINITY) {
      const start = program.length
      const entry = fork()
      entry.push(program.length)
      emit(node)
      fork().push(start)
      entry.push(program.length)
      return
    }
    const exits: Array<Array<number>> = []
    for (let count = min; count < max && program.length <= limit; count++) {
      const entry = fork()
      entry.push(program.length)
      exits.push(entry)
      emit(node)
    }
    for (const exit of exits) exit.push(program.length)
  }

  emit(node)
  program.push({ _tag: "Match" })
  return program.length > limit ? Either.left("too many repetitions") : Either.right(program)
}

const tableSize = 128

/** The engine decides for one character, which takes bounded time; for ASCII it is asked once. */
const accepting = (source: string): ((code: number) => boolean) => {
  const single = new RegExp(`^(?:${source})$`, "u")
  const table = Array.from({ length: tableSize }, (_, code) => single.test(String.fromCharCode(code)))
  return (code) => (code < tableSize ? table[code] === true : single.test(String.fromCodePoint(code)))
}
