// Loads the sources of the workspace into a process of its own, as the tests see them.
import { createViteServer } from "vitest/node"

const conditions = ["@pushbutton/source", "module", "node", "import", "default"]

/**
 * The modules, in the order of their names: paths from the folder of the package, or packages.
 * @param {Array<string>} names
 */
export const load = async (...names) => {
  const server = await createViteServer({
    configFile: false,
    root: new URL("../..", import.meta.url).pathname,
    logLevel: "error",
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, watch: null, hmr: false, ws: false },
    resolve: { conditions },
    ssr: { resolve: { conditions } }
  })
  try {
    const modules = []
    for (const name of names) modules.push(await server.ssrLoadModule(name))
    return modules
  } finally {
    await server.close()
  }
}
