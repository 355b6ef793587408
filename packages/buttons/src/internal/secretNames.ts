/** Which names say that their value is a secret, and which values look like one. */

const words: ReadonlySet<string> = new Set([
  "apikey",
  "auth",
  "authorization",
  "bearer",
  "cookie",
  "credential",
  "credentials",
  "jwt",
  "key",
  "keys",
  "pass",
  "passphrase",
  "passwd",
  "password",
  "pat",
  "pwd",
  "secret",
  "secrets",
  "signature",
  "token",
  "tokens"
])

/** `PWD` alone is the working directory. */
export const isSecret = (name: string): boolean =>
  name !== "PWD" &&
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((word) => words.has(word.replace(/\d+$/, "")) || /(?:apikey|password|secret|token)$/.test(word))

/** As keys are that a machine has made: many letters and digits without a sign between them, or a UUID. */
export const looksRandom = (value: string): boolean =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ||
  value.split(/[^A-Za-z0-9]+/).some((run) => run.length >= 16 && /[A-Za-z]/.test(run) && /\d/.test(run))
