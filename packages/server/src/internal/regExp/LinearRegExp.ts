/**
 * Regular expressions without backtracking: time grows with the text, never with the ways to match it. Lookarounds
 * and backreferences have no such bound and are not offered; everything else means what it means in ECMAScript with
 * the `u` flag.
 */
import * as Either from "effect/Either"
import { parse } from "./parse.js"
import { compile, type Program } from "./program.js"

export interface LinearRegExp {
  /** Whether it matches somewhere in the text. `spend` hears of the steps taken, and may throw to end it. */
  readonly test: (text: string, spend: (steps: number) => void) => boolean
}

/** Left: why the source is not served, as a clause about it. */
export const make = (source: string): Either.Either<LinearRegExp, string> => {
  const invalid = syntaxProblem(source)
  if (invalid !== undefined) return Either.left(invalid)
  return Either.mapBoth(Either.flatMap(parse(source), compile), {
    onLeft: (what) => `uses ${what}, which cannot be matched in bounded time`,
    onRight: (program) => ({ test: (text, spend) => run(program, text, spend) })
  })
}

const syntaxProblem = (source: string): string | undefined => {
  try {
    return new RegExp(source, "u") instanceof RegExp ? undefined : ""
  } catch {
    return "is not a regular expression with the u flag"
  }
}

const run = (program: Program, text: string, spend: (steps: number) => void): boolean => {
  const isAnchored = program[0]?._tag === "Assertion" && program[0].kind === "start"
  /** The position at which an instruction was last reached, so that each is walked once for each position. */
  const reached = new Int32Array(program.length).fill(-1)
  const open: Array<number> = []
  let isMatched = false
  let waiting: Array<number> = []

  /** Follows what needs no character, up to the instructions that do. */
  const reach = (start: number, at: number, into: Array<number>): void => {
    open.push(start)
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (reached[index] === at) continue
      reached[index] = at
      const instruction = program[index]
      if (instruction === undefined) continue
      if (instruction._tag === "Match") isMatched = true
      else if (instruction._tag === "Character") into.push(index)
      else if (instruction._tag === "Fork") open.push(...instruction.to)
      else if (holds(instruction.kind, text, at)) open.push(index + 1)
    }
  }

  reach(0, 0, waiting)
  for (let at = 0; at < text.length && !isMatched; ) {
    spend(waiting.length + 1)
    const code = text.codePointAt(at) ?? 0
    at += code > 0xffff ? 2 : 1
    const next: Array<number> = []
    for (const index of waiting) {
      const instruction = program[index]
      if (instruction?._tag === "Character" && instruction.accepts(code)) reach(index + 1, at, next)
    }
    if (isAnchored && next.length === 0) return isMatched
    if (!isAnchored) reach(0, at, next)
    waiting = next
  }
  return isMatched
}

const holds = (kind: "start" | "end" | "boundary" | "notBoundary", text: string, at: number): boolean => {
  switch (kind) {
    case "start":
      return at === 0
    case "end":
      return at === text.length
    case "boundary":
      return isWord(text, at - 1) !== isWord(text, at)
    case "notBoundary":
      return isWord(text, at - 1) === isWord(text, at)
  }
}

const isWord = (text: string, at: number): boolean => /\w/.test(text.charAt(at))
