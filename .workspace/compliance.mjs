// `npm run compliance`: writes docs/compliance.md anew from the requirements and the tests that cite them.
import "./node.mjs"
import { join } from "node:path"
import { render } from "../packages/verification/requirements/compliance.mjs"
import { readTraceability } from "../packages/verification/requirements/traceability.mjs"
import { writeWhole } from "./fingerprint.mjs"
import { root } from "./workspace.mjs"

writeWhole(join(root, "docs", "compliance.md"), render(readTraceability()))
