import { defineConfig } from "vitest/config"

/**
 * The test settings every package shares: sources are loaded from `src`, never from `dist`.
 * @param {string} name
 */
export const packageTests = (name) =>
  defineConfig({
    resolve: { conditions: ["@pushbutton/source", "module", "node", "import", "default"] },
    ssr: { resolve: { conditions: ["@pushbutton/source", "module", "node", "import", "default"] } },
    test: { name, include: ["test/**/*.test.ts"] }
  })
