/** Random numbers that a seed brings back (xorshift). */
export interface Random {
  /** From 0 to below the limit. */
  readonly below: (limit: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(items: ReadonlyArray<A>) => A
}

export const make = (seed: number): Random => {
  let state = (seed | 0) === 0 ? 1 : seed | 0
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 0x1_0000_0000
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    chance: (probability) => next() < probability,
    pick: <A>(items: ReadonlyArray<A>): A => {
      const picked = items[below(items.length)]
      if (picked === undefined) throw new Error("nothing to pick from")
      return picked
    }
  }
}

/** The seed of a run: given to repeat one, else a new one. */
export const seed = Number(process.env["PUSHBUTTON_MUTATION_SEED"] ?? Date.now() % 0x7fff_ffff)
