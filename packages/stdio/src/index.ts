export * as StderrLogger from "./StderrLogger.js"
export * as StdioTransport from "./StdioTransport.js"
export * as SystemRandom from "./SystemRandom.js"
