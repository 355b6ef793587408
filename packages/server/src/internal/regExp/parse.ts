/** Regular expressions as trees. The source has to be valid with the `u` flag; the engine itself says whether it is. */
import * as Either from "effect/Either"

export type Node =
  /** One character; its source is a literal, an escape, a class or a dot. */
  | { readonly _tag: "Character"; readonly source: string }
  | { readonly _tag: "Assertion"; readonly kind: "start" | "end" | "boundary" | "notBoundary" }
  | { readonly _tag: "Sequence"; readonly nodes: ReadonlyArray<Node> }
  | { readonly _tag: "Choice"; readonly nodes: ReadonlyArray<Node> }
  | { readonly _tag: "Repeat"; readonly node: Node; readonly min: number; readonly max: number }

/** Left: what the source uses that has no bounded time. */
export const parse = (source: string): Either.Either<Node, string> => {
  const parser = new Parser(source)
  const node = parser.choice()
  return parser.unsupported === undefined ? Either.right(node) : Either.left(parser.unsupported)
}

const assertions: ReadonlyMap<string, Node> = new Map<string, Node>([
  ["^", { _tag: "Assertion", kind: "start" }],
  ["$", { _tag: "Assertion", kind: "end" }],
  ["\\b", { _tag: "Assertion", kind: "boundary" }],
  ["\\B", { _tag: "Assertion", kind: "notBoundary" }]
])

/** What one character can look like: sticky, tried at the place where the parser stands. */
const character =
  /\\(?:u\{[^}]*\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|c[A-Za-z]|.)|\[(?:\\.|[^\]\\])*\]|./suy
const opening = /\((?:\?(?::|<[^=!>]*>))?(?!\?)/uy
const quantifier = /([*+?]|\{(\d+)(,(\d*))?\})\??/uy

class Parser {
  unsupported: string | undefined
  private at = 0
  private readonly source: string

  constructor(source: string) {
    this.source = source
  }

  choice(): Node {
    const nodes = [this.sequence()]
    while (this.source[this.at] === "|") {
      this.at++
      nodes.push(this.sequence())
    }
    const [only] = nodes
    return nodes.length === 1 && only !== undefined ? only : { _tag: "Choice", nodes }
  }

  private sequence(): Node {
    const nodes: Array<Node> = []
    while (this.at < this.source.length && this.unsupported === undefined) {
      const next = this.source[this.at]
      if (next === "|" || next === ")") break
      nodes.push(this.quantified(this.term()))
    }
    return { _tag: "Sequence", nodes }
  }

  private term(): Node {
    if (this.source[this.at] === "(") return this.group()
    const text = this.take(character)?.[0] ?? ""
    if (/^\\[1-9k]/.test(text)) this.unsupported = "a backreference"
    return assertions.get(text) ?? { _tag: "Character", source: text }
  }

  private group(): Node {
    if (this.take(opening) === undefined) {
      this.unsupported = /^\(\?<?[=!]/.test(this.source.slice(this.at)) ? "a lookaround" : "a modifier"
      return { _tag: "Sequence", nodes: [] }
    }
    const inner = this.choice()
    this.at++
    return inner
  }

  private quantified(node: Node): Node {
    const found = this.take(quantifier)
    if (found === undefined) return node
    const [, sign, from, comma, to] = found
    if (sign === "*") return { _tag: "Repeat", node, min: 0, max: Number.POSITIVE_INFINITY }
    if (sign === "+") return { _tag: "Repeat", node, min: 1, max: Number.POSITIVE_INFINITY }
    if (sign === "?") return { _tag: "Repeat", node, min: 0, max: 1 }
    const min = Number(from)
    if (comma === undefined) return { _tag: "Repeat", node, min, max: min }
    return { _tag: "Repeat", node, min, max: to === "" ? Number.POSITIVE_INFINITY : Number(to) }
  }

  private take(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.at
    const found = sticky.exec(this.source) ?? undefined
    if (found !== undefined) this.at += found[0].length
    return found
  }
}
