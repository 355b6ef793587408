/** Peer input in texts that people or models read: cut to a bounded length. */
export { excerpt } from "./internal/excerpt.js"
