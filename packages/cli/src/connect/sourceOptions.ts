/** The options that serve a folder, and perhaps a definitions file. Pure. */

export interface Source {
  /** Absolute. */
  readonly folder: string
  /** Absolute. */
  readonly definitions: string | undefined
}

export const options = ({ definitions, folder }: Source): ReadonlyArray<string> => [
  "--dir",
  folder,
  ...(definitions === undefined ? [] : ["--definitions", definitions])
]
