// What a feature costs when it is used: our server with it against our server without it, which stands under `bare`.
import { httpLoad } from "../load/httpClient.mjs"
import { echo, loggedEcho, tracedEcho } from "../load/messages.mjs"
import { measured } from "../rows.mjs"
import { sampleCpu, withServers } from "./context.mjs"

/**
 * @typedef {object} Feature
 * @property {string} feature as the contender calls it
 * @property {string} [with] what the contender calls it where that is another name
 * @property {string} [without] what the contender calls its absence, where that is not the default
 * @property {import("../load/messages.mjs").Exchange} exchange
 * @property {Readonly<Record<string, string>>} [headers]
 */

/** @type {ReadonlyArray<Feature>} */
const features = [
  { feature: "fiber", exchange: echo },
  { feature: "tracing", without: "fiber", exchange: tracedEcho },
  { feature: "logging", without: "fiber", exchange: loggedEcho },
  { feature: "metrics", with: "fiber", without: "no-metrics", exchange: echo },
  { feature: "limits", exchange: echo },
  { feature: "principal", exchange: echo, headers: { "x-user": "ada" } }
]

/** @type {ReadonlyArray<import("./context.mjs").Bench>} */
export const benches = [
  {
    name: "features",
    about:
      "the same `tools/call` with a feature and without: a handler that takes a fiber; for such a one spans in the client's trace, logging that the request asks for, the metrics of Effect's runtime; narrower limits and allow-lists, a verified principal",
    run: async (context) => {
      const rows = []
      for (const { exchange, feature, headers = {}, with: used = feature, without = "" } of features) {
        const wanted = [used, without].map((name) => ({
          key: /** @type {const} */ ("ours"),
          settings: { feature: name }
        }))
        const row = await withServers(context, wanted, async (servers) => {
          const loads = servers.map(({ port }) => httpLoad({ port, connections: 32, exchange, headers }))
          const lanes = servers.flatMap((server, index) => {
            const load = loads[index]
            const key = index === 0 ? /** @type {const} */ ("ours") : /** @type {const} */ ("bare")
            return load === undefined ? [] : [{ key, server, load }]
          })
          const samples = await sampleCpu(context, lanes)
          for (const { load } of lanes) load.close()
          return measured({ bench: `features-${feature}`, unit: "cpu_us_per_op" }, samples)
        })
        rows.push(row)
      }
      return rows
    }
  }
]
