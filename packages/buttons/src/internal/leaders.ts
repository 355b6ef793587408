/** The numbers of what presses have started last: each leads a group, and bears the mark of its own press and no other. */

const maxKept = 128

/** In which order they were started, the last one last. */
const order = new Map<number, number>()
let count = 0

export const note = (leader: number): void => {
  order.delete(leader)
  order.set(leader, ++count)
  const [oldest] = order.keys()
  if (order.size > maxKept && oldest !== undefined) order.delete(oldest)
}

/** The number of the one that was started last. */
export const newest = (): number | undefined => [...order.keys()].at(-1)

/** Whether the number went to the leader of another press after this leader had got its own. */
export const isLater = (number: number, leader: number): boolean =>
  (order.get(number) ?? 0) > (order.get(leader) ?? Number.POSITIVE_INFINITY)
