/**
 * Where a YAML text nests too deep. It is looked for before the text is composed: composing recurses, and near the end
 * of the stack the engine may end the process instead of throwing.
 */
import { maxDepth } from "@pushbutton/protocol/Json"
import * as Yaml from "./yaml.js"

/** The document, as many collections around a value as it may have, and the value. */
const mostOpen = maxDepth + 2

/** The place of the first value that is too deep; the parser keeps all that is open on a stack of its own. */
export const tooDeepAt = (text: string): { readonly line: number; readonly column: number } | undefined => {
  const lines = new Yaml.LineCounter()
  lines.addNewLine(0)
  const parser = new Yaml.Parser(lines.addNewLine)
  for (const lexeme of new Yaml.Lexer().lex(text)) {
    const { offset } = parser
    Array.from(parser.next(lexeme))
    if (parser.stack.length <= mostOpen) continue
    const { col, line } = lines.linePos(offset)
    return { line, column: col }
  }
  return undefined
}
