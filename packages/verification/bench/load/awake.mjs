// Waking a process that sleeps costs whoever writes to it: on a virtual machine more than a whole request does. A
// server that is faster than its load finds the client awake; a slower one would pay for waking it with every reply.

/**
 * Does the work without letting this process sleep while it waits.
 * @template A
 * @param {() => Promise<A>} work
 * @returns {Promise<A>}
 */
export const awake = async (work) => {
  let isOver = false
  const turn = () => {
    if (!isOver) setImmediate(turn)
  }
  turn()
  try {
    return await work()
  } finally {
    isOver = true
  }
}
