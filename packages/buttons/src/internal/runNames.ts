/** Names of the files of runs, which are a run's name and an ending. */

export const recordEnding = ".json"
export const progressEnding = ".progress.jsonl"
/** After what tells writers of one run apart. Never `.json`: every such file is read as a run. */
export const unfinishedEnding = ".json.tmp"

export const isRecord = (file: string): boolean => file.endsWith(recordEnding)

const runFile = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d.*(?:\.json|\.progress\.jsonl|\.json\.tmp)$/

export const isRunFile = (file: string): boolean => runFile.test(file)

/** Without endings, so that a name without milliseconds sorts before those with. */
export const runOf = (file: string): string =>
  file.replace(/(?:\.progress\.jsonl|(?:\.[0-9a-f-]{36})?\.json\.tmp|\.json)$/, "")
