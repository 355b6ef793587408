/** How a value is written where it goes. Each encoder leaves nothing in a value that means something in that place. */

const encoder = new TextEncoder()

const percent = (text: string, isSafe: (character: string) => boolean): string => {
  let encoded = ""
  for (const byte of encoder.encode(text)) {
    const character = String.fromCharCode(byte)
    encoded +=
      byte < 0x80 && isSafe(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
  }
  return encoded
}

/** One segment of a path. */
export const pathSegment = (value: string): string =>
  percent(value, (character) => /[A-Za-z0-9\-_.~$&+:=@]/.test(character))

/** A name or a value of a query or of a form: a space is `+`. */
export const query = (value: string): string =>
  percent(value, (character) => /[A-Za-z0-9\-_.~ ]/.test(character)).replaceAll(" ", "+")

/** The inside of a JSON string; safe inside of HTML too. */
export const jsonText = (value: string): string =>
  JSON.stringify(value)
    .slice(1, -1)
    .replace(/[<>&\u2028\u2029]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** A text of an XML document, or a quoted attribute. */
export const xmlText = (value: string): string =>
  value.replace(/[<>&"']/g, (unit) => `&#${unit.charCodeAt(0)};`)

/** What a URL itself says, with what no request line may hold encoded; escapes that are there stay. */
export const literal = (text: string): string =>
  percent(text, (character) => /[!#-;=?-[\]_a-z~]/.test(character))
