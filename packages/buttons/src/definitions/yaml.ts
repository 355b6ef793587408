/** What is used of the YAML parser. The command has it as a file of its own, loaded with the first definitions file. */
export { isAlias, isMap, isNode, isScalar, isSeq, Lexer, LineCounter, Parser, parseDocument } from "yaml"
