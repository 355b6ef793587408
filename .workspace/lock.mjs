// One set-up at a time per checkout: a lock file that names its holder and that the holder keeps fresh.
// A holder that died, or that has not touched the file for a while, has lost it.
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

const beatMillis = 2_000
const staleMillis = 30_000
const pollMillis = 100
const patienceMillis = 3_000

/** @param {() => void} attempt */
const succeeds = (attempt) => {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}

/** @param {string} path */
const ageMillis = (path) => {
  try {
    return Date.now() - statSync(path).mtimeMs
  } catch {
    return 0
  }
}

/** @param {number} pid */
const isGone = (pid) => {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH"
  }
}

/** @param {string} path */
const isAbandoned = (path) => {
  if (ageMillis(path) > staleMillis) return true
  try {
    const holder = JSON.parse(readFileSync(path, "utf8"))
    return holder.host === hostname() && isGone(holder.pid)
  } catch {
    // Gone again, or just created and not yet written.
    return false
  }
}

/** @param {string} path */
const take = (path) => {
  try {
    writeFileSync(path, JSON.stringify({ host: hostname(), pid: process.pid }), { flag: "wx" })
    return true
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false
    throw error
  }
}

/**
 * Only one process at a time may break a lock, and it looks again first: otherwise two that saw the same
 * abandoned lock could each remove it, the second one a fresh one.
 * @param {string} path
 */
const breakAbandoned = (path) => {
  const breaking = `${path}.breaking`
  if (ageMillis(breaking) > staleMillis) succeeds(() => rmdirSync(breaking))
  if (!succeeds(() => mkdirSync(breaking))) return
  try {
    if (isAbandoned(path)) rmSync(path, { force: true })
  } finally {
    succeeds(() => rmdirSync(breaking))
  }
}

/**
 * Runs `work` while no other process holds the lock of this folder. Waits for its turn.
 * @template A
 * @param {string} folder
 * @param {() => Promise<A>} work
 * @returns {Promise<A>}
 */
export const withLock = async (folder, work) => {
  const path = join(folder, "lock")
  mkdirSync(folder, { recursive: true })
  for (let waited = 0; !take(path); waited += pollMillis) {
    if (isAbandoned(path)) breakAbandoned(path)
    if (waited === patienceMillis) console.error("Waiting for another run to finish its set-up…")
    await sleep(pollMillis)
  }
  const release = () => rmSync(path, { force: true })
  const beat = setInterval(() => succeeds(() => utimesSync(path, new Date(), new Date())), beatMillis)
  process.on("exit", release)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    process.off("exit", release)
    release()
  }
}
