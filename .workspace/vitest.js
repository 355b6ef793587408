import { defineConfig } from "vitest/config"

/**
 * The test settings every package shares: sources are loaded from `src`, never from `dist`.
 * @param {string} name
 */
export const packageTests = (name) =>
  defineConfig({
    resolve: { conditions: ["@pushbutton/source", "module", "node", "import", "default"] },
    ssr: { resolve: { conditions: ["@pushbutton/source", "module", "node", "import", "default"] } },
    // Long enough for a real process on a busy machine; it only ends tests that hang.
    test: { name, include: ["test/**/*.test.ts"], testTimeout: 30_000 }
  })
