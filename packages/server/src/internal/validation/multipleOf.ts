/** `multipleOf` as people write numbers: in decimals, where 1111.11 is a multiple of 0.01. */

/** A number as `digits × 10^-scale`, exactly as it is written. */
const decimal = (value: number): { readonly digits: bigint; readonly scale: number } => {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e")
  const [whole = "0", fraction = ""] = mantissa.split(".")
  return { digits: BigInt(whole + fraction), scale: fraction.length - Number(exponent) }
}

/** What is too large for a number is read as infinite, and is a multiple of nothing. */
export const isMultipleOf = (value: number, divisor: number): boolean => {
  if (!Number.isFinite(value)) return false
  const one = decimal(value)
  const other = decimal(divisor)
  const scale = Math.max(one.scale, other.scale)
  const scaled = ({ digits, scale: own }: typeof one) => digits * 10n ** BigInt(scale - own)
  return scaled(one) % scaled(other) === 0n
}
