// Under `npm start` a shell stands between npm and the script. Told to end, npm ends the shell, which passes nothing on.
// `process.ppid` then names another parent, and nothing else tells.
const pollMillis = 500

/**
 * Calls `react` once when npm's shell is gone; gives a function that stops watching.
 * A script that was started in another way may well outlive its parent.
 * @param {() => void} react
 */
export const whenOrphaned = (react) => {
  if (process.env.npm_lifecycle_event === undefined) return () => {}
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    react()
  }, pollMillis)
  timer.unref()
  return () => clearInterval(timer)
}
