/** How much there is of something, in words. Pure. */
import type { Defined } from "@pushbutton/buttons/definitions/Definitions"

/** `1 button`, `2 buttons` */
export const of = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`

/** `2 buttons, 1 resource`: what a definitions file has; kinds that it has none of are left out. Undefined for nothing. */
export const defined = ({ buttons, prompts, resources }: Defined): string | undefined => {
  const templates = resources.filter(({ resource }) => resource._tag === "ResourceTemplate").length
  const kinds = [
    [buttons.length, "button"],
    [resources.length - templates, "resource"],
    [templates, "resource template"],
    [prompts.length, "prompt"]
  ] as const
  const some = kinds.filter(([number]) => number > 0)
  return some.length === 0 ? undefined : some.map(([number, noun]) => of(number, noun)).join(", ")
}
