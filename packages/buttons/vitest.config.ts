import { packageTests } from "../../.workspace/vitest.js"

export default packageTests("buttons")
