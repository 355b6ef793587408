/**
 * What a call remembers between its rounds, kept by the client as one sealed text. A client can neither read nor
 * change it, nor use it for another request, as another caller, or after its time.
 */
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as Json from "@pushbutton/protocol/Json"
import { InvalidRequestState } from "@pushbutton/protocol/ProtocolError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Key, Sealer } from "./internal/sealing.js"
import { RandomBytes } from "./RandomBytes.js"
import { RedeemedStates } from "./RedeemedStates.js"

/** The request that a state belongs to. */
export interface Binding {
  readonly server: string
  readonly method: string
  /** The tool's or prompt's name, or the resource's URI. */
  readonly target: string
  readonly args: JsonObject
  /** Who calls; undefined where the transport verifies nobody. */
  readonly principal: string | undefined
}

export class RequestStateTooLarge extends Data.TaggedError("RequestStateTooLarge")<{
  readonly length: number
  readonly limit: number
}> {
  override get message() {
    return `The answers and step results of a call seal to ${this.length} characters, more than the ${this.limit} allowed`
  }
}

export class RequestState extends Context.Tag("@pushbutton/server/RequestState")<
  RequestState,
  {
    readonly seal: (
      payload: JsonObject,
      binding: Binding
    ) => Effect.Effect<string, RequestStateTooLarge, RandomBytes>
    /** Fails the same way whatever is wrong: altered, foreign, expired, used up. */
    readonly open: (
      sealed: string,
      binding: Binding
    ) => Effect.Effect<JsonObject, InvalidRequestState, RandomBytes>
    /** Whether a state opens only once. */
    readonly isSingleUse: boolean
  }
>() {}

export interface Options {
  /**
   * The first key seals, all of them open: to rotate, put a new key first and drop the old one after the time to
   * live. Ids are 1 to 32 letters, digits, `-` or `_`; secrets have 32 characters or more, of high entropy. Replicas
   * need the same keys. When left out, a random key is made that lasts as long as the process.
   */
  readonly keys?:
    | ReadonlyArray<{ readonly id: string; readonly secret: Redacted.Redacted<string> }>
    | undefined
  /** How long the client may take to answer one round; 10 minutes when left out. */
  readonly ttl?: Duration.DurationInput | undefined
  /** Characters of a sealed text; 65,536 when left out. */
  readonly maxLength?: number | undefined
}

/** States that open as often as they are sent, within their time. Keys that cannot be used are a defect. */
export const layer = (options: Options = {}): Layer.Layer<RequestState> =>
  Layer.sync(RequestState, () => make(options))

/** States that open once. */
export const layerSingleUse = (options: Options = {}): Layer.Layer<RequestState, never, RedeemedStates> =>
  Layer.effect(
    RequestState,
    Effect.map(RedeemedStates, (redeemed) => make(options, redeemed))
  )

/** States that open once where there is a memory of those that have. Throws for keys that cannot be used. */
export const make = (options: Options, redeemed?: RedeemedStates["Type"]): RequestState["Type"] => {
  const limit = options.maxLength ?? 65_536
  const ttl = Duration.toMillis(options.ttl ?? "10 minutes")
  const withSealer = sealerOf(checkedKeys(options))
  return RequestState.of({
    isSingleUse: redeemed !== undefined,
    seal: Effect.fnUntraced(function* (payload, binding) {
      const { seal } = yield* withSealer
      const expiresAt = (yield* Clock.currentTimeMillis) + ttl
      const nonce = yield* (yield* RandomBytes).next(12)
      const sealed = seal(JSON.stringify({ expiresAt, payload }), boundTo(binding), nonce)
      if (sealed.length > limit) return yield* new RequestStateTooLarge({ length: sealed.length, limit })
      return sealed
    }),
    open: Effect.fnUntraced(function* (sealed, binding) {
      if (sealed.length > limit) return yield* new InvalidRequestState()
      const opened = (yield* withSealer).open(sealed, boundTo(binding))
      const state = opened === undefined ? undefined : parse(opened.text)
      if (opened === undefined || state === undefined) return yield* new InvalidRequestState()
      if (state.expiresAt <= (yield* Clock.currentTimeMillis)) return yield* new InvalidRequestState()
      if (redeemed !== undefined && !(yield* redeemed.redeem(opened.id, state.expiresAt))) {
        return yield* new InvalidRequestState()
      }
      return state.payload
    })
  })
}

const boundTo = ({ args, method, principal, server, target }: Binding): JsonValue => [
  server,
  method,
  target,
  principal === undefined ? null : principal,
  args
]

const parse = (text: string): { readonly expiresAt: number; readonly payload: JsonObject } | undefined => {
  const state: JsonValue = JSON.parse(text)
  if (!Json.isObject(state)) return undefined
  const { expiresAt, payload } = state
  return typeof expiresAt === "number" && Json.isObject(payload) ? { expiresAt, payload } : undefined
}

type Keys = NonNullable<Options["keys"]>

const checkedKeys = ({ keys }: Options): Keys | undefined => {
  if (keys === undefined) return undefined
  if (keys.length === 0) throw new Error("requestState.keys is empty")
  for (const { id, secret } of keys) {
    if (!/^[A-Za-z0-9_-]{1,32}$/.test(id))
      throw new Error(`requestState.keys: ${JSON.stringify(id)} is no key id`)
    const { length } = Redacted.value(secret)
    if (length < 32)
      throw new Error(
        `requestState.keys: the secret of ${id} has ${length} characters; 32 or more are needed`
      )
    if (keys.filter((other) => other.id === id).length > 1)
      throw new Error(`requestState.keys: two keys are ${id}`)
  }
  return keys
}

/** The sealer, made on first use: most servers never ask. */
const sealerOf = (keys: Keys | undefined): Effect.Effect<Sealer, never, RandomBytes> => {
  let sealer: Sealer | undefined
  const build = Effect.gen(function* () {
    const { make: makeSealer, utf8 } = yield* Effect.promise(() => import("./internal/sealing.js"))
    const random = yield* RandomBytes
    const own: Key = { id: "process", secret: yield* random.next(32) }
    const [first = own, ...others] = (keys ?? []).map(
      ({ id, secret }): Key => ({ id, secret: utf8(Redacted.value(secret)) })
    )
    // Whoever comes first decides, or two rounds at once would have two keys.
    sealer ??= makeSealer([first, ...others])
    return sealer
  })
  return Effect.suspend(() => (sealer === undefined ? build : Effect.succeed(sealer)))
}
