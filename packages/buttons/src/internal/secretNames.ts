/** Which names say that their value is a secret. */

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
