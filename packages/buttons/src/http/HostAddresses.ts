/** Finds the addresses of a host. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as NameLookup from "../internal/nameLookup.js"

export class HostUnknown extends Data.TaggedError("HostUnknown")<{
  /** Such as `ENOTFOUND`. */
  readonly code: string
}> {}

export class HostAddresses extends Context.Tag("@pushbutton/buttons/http/HostAddresses")<
  HostAddresses,
  {
    /** At least one, in the order of preference. An address is its own. */
    readonly find: (hostname: string) => Effect.Effect<ReadonlyArray<string>, HostUnknown>
  }
>() {}

/** As the system finds them, its hosts file included. */
export const ofSystem: HostAddresses["Type"] = HostAddresses.of({
  find: (hostname) => NameLookup.find(hostname, (code) => new HostUnknown({ code }))
})

export const layerTest = (find: (hostname: string) => ReadonlyArray<string>): Layer.Layer<HostAddresses> =>
  Layer.succeed(
    HostAddresses,
    HostAddresses.of({
      find: (hostname) =>
        Effect.suspend(() => {
          const addresses = find(hostname)
          return addresses.length === 0 ? new HostUnknown({ code: "ENOTFOUND" }) : Effect.succeed(addresses)
        })
    })
  )
