/** What is used of the YAML parser. */
export { isAlias, isMap, isNode, isScalar, isSeq, Lexer, LineCounter, Parser, parseDocument } from "yaml"
