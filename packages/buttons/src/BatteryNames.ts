/** The names of batteries, and the variables that carry them. */
import type * as Fields from "./internal/jsonFields.js"
import { quote } from "./internal/text.js"
import type { Runtime } from "./Runtime.js"

export const isName = (text: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(text)

export const variableName = (battery: string): string => `BUTTONS_BAT_${battery}`

/** The `requires_batteries` of a button definition, each name once. */
export const check = (
  names: ReadonlyArray<string>,
  runtime: Runtime,
  report: Fields.Report
): ReadonlyArray<string> => {
  for (const [index, name] of names.entries()) {
    if (!isName(name)) {
      report(
        "error",
        `requires_batteries[${index}]`,
        `${quote(name)} cannot be a battery's name; use A-Z, 0-9 and _`
      )
    }
  }
  if (names.length > 0 && (runtime === "http" || runtime === "prompt")) {
    report(
      "warning",
      "requires_batteries",
      "only a script is given batteries; here they are just checked for"
    )
  }
  return [...new Set(names)]
}
