/** What stands in a text where some of it was left out. */

export const leftOut = (bytes: number): string => `\n[${bytes} bytes left out]\n`

export const cutAfter = (bytes: number): string => `\n[cut after ${bytes} bytes]`
