// Refuses an old Node before anything else runs: every script imports this module first.
// No module under `.workspace` may statically use syntax or exports that an old Node cannot parse and link.
const { node } = process.versions

if (Number(node.split(".")[0]) < 20) {
  console.error(`Pushbutton needs Node 20 or newer; this is Node ${node}.`)
  process.exit(1)
}
