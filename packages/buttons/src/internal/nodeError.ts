/** The code of a failed Node call: `ENOENT` and the like. Messages of such errors hold absolute paths. */
export const code = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "UNKNOWN"
