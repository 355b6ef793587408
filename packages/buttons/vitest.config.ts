import { mergeConfig } from "vitest/config"
import { packageTests } from "../../.workspace/vitest.js"

export default mergeConfig(packageTests("buttons"), {
  test: { globalSetup: ["test/support/leftovers.ts"] }
})
