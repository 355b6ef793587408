/**
 * What a handler wants to know from the client: a form, a visit to a URL, the client's model, its folders. Each ask
 * has a key that names it within the call. A handler that asks may be run again from its start when the answer
 * comes, and asks that have an answer resolve at once: `Step.once` keeps a side effect before an ask from repeating.
 *
 * Forms are never for secrets: clients show and keep what is typed (2026-07-28, elicitation: MUST NOT). Use a URL.
 */
import * as Elicitation from "@pushbutton/protocol/Elicitation"
import type { InputRequest } from "@pushbutton/protocol/InputRequired"
import * as InputRequired from "@pushbutton/protocol/InputRequired"
import type { JsonValue } from "@pushbutton/protocol/Json"
import * as Roots from "@pushbutton/protocol/Roots"
import * as Sampling from "@pushbutton/protocol/Sampling"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Effectable from "effect/Effectable"
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import { type Answer, type Asking, asking, type Question, unavailable } from "./internal/asking.js"
import * as Form from "./internal/form.js"
import { RequestContext } from "./RequestContext.js"

export interface Accepted<out A> {
  readonly _tag: "Accepted"
  readonly content: A
}

/** The user said no. */
export interface Declined {
  readonly _tag: "Declined"
}

/** The user dismissed the question without an answer. */
export interface Cancelled {
  readonly _tag: "Cancelled"
}

/** Nothing was asked: the client, the revision, the exchange or the method has no way to. Or its session ended meanwhile. */
export interface Unavailable {
  readonly _tag: "Unavailable"
  readonly reason: string
}

/** The client reported an error, or gave no usable answer, or none in time. Only before 2026-07-28. */
export interface Failed {
  readonly _tag: "Failed"
  readonly code: number
  readonly message: string
}

export type Outcome<A> = Accepted<A> | Declined | Cancelled | Unavailable | Failed

const AskTypeId: unique symbol = Symbol.for("@pushbutton/server/Ask")

/** A question that an effect can wait for, alone or with others in `all`. */
export interface Ask<out A> extends Effect.Effect<Outcome<A>, never, RequestContext> {
  readonly [AskTypeId]: Question & { readonly read: Read<A> }
}

/** Left: why the response is no answer. */
type Read<A> = (response: JsonValue) => Either.Either<Outcome<A>, string>

class AskImpl<A> extends Effectable.Class<Outcome<A>, never, RequestContext> implements Ask<A> {
  readonly [AskTypeId]: Question & { readonly read: Read<A> }

  constructor(key: string, request: InputRequest, read: Read<A>) {
    super()
    const refuse = (response: JsonValue) => {
      const outcome = read(response)
      return Either.isLeft(outcome) ? outcome.left : undefined
    }
    this[AskTypeId] = { key, request, needs: InputRequired.needs(request), refuse, read }
  }

  commit(): Effect.Effect<Outcome<A>, never, RequestContext> {
    return Effect.map(answers([this]), ([answer]) => outcomeOf(this, answer))
  }
}

/**
 * A form of flat fields. Its schema is an Effect Schema of an object, or a form schema as it is sent, which gives
 * the content as it came. An answer that does not fit is asked for again.
 */
export function form<A, I>(
  key: string,
  options: { readonly message: string; readonly schema: Schema.Schema<A, I> }
): Ask<A>
export function form(
  key: string,
  options: { readonly message: string; readonly schema: Elicitation.FormSchema }
): Ask<Elicitation.FormContent>
export function form<A, I>(
  key: string,
  options: { readonly message: string; readonly schema: Schema.Schema<A, I> | Elicitation.FormSchema }
): Ask<A | Elicitation.FormContent> {
  const fields = Form.of(options.schema)
  return new AskImpl(key, Elicitation.form(options.message, fields.schema), (response) =>
    Either.flatMap(Elicitation.readResult(response), (result) =>
      result.action === "accept"
        ? Either.map(fields.read(result.content ?? {}), accepted)
        : Either.right(refusals[result.action])
    )
  )
}

/**
 * A page to open. Accepted means that the user agreed to open it, not that anything was done there: that is for the
 * handler to find out. The URL is to be `https`, without what is the user's, and without access that whoever opens it
 * would have; the page has to check that it is opened by the user who was asked (2025-11-25, elicitation: MUST).
 */
export const url = (key: string, options: { readonly message: string; readonly url: string }): Ask<void> => {
  if (!Elicitation.isWebUrl(options.url))
    throw new Error(`Ask ${JSON.stringify(key)}: the URL is not an absolute web address`)
  return new AskImpl<void>(key, Elicitation.url(options.message, options.url), (response) =>
    Either.map(Elicitation.readResult(response), (result) =>
      result.action === "accept" ? accepted(undefined) : refusals[result.action]
    )
  )
}

/** A question to the client's model. Deprecated by the specification: prefer to call a model provider directly. */
export const sample = (key: string, params: Sampling.Params): Ask<Sampling.Result> => {
  const problem = Sampling.problemOf(params)
  if (problem !== undefined) throw new Error(`Ask ${JSON.stringify(key)}: ${problem}`)
  return new AskImpl(key, Sampling.request(params), (response) =>
    Either.map(Sampling.readResult(params, response), accepted)
  )
}

/** The folders the client works in. Deprecated by the specification: prefer arguments or configuration. */
export const roots = (key = "roots"): Ask<ReadonlyArray<Roots.Root>> =>
  new AskImpl(key, Roots.request, (response) => Either.map(Roots.readResult(response), accepted))

/**
 * Tells the client that what the page of `Ask.url` was for is done, so that it need not ask its user. Only clients of
 * 2025-11-25 whose user agreed in this call to open the page are told.
 */
export const complete = (key: string): Effect.Effect<void, never, RequestContext> =>
  Effect.flatMap(RequestContext, (request) => askingOf(request).complete(key))

type Outcomes<Asks extends Readonly<Record<string, Ask<unknown>>>> = {
  readonly [Name in keyof Asks]: Effect.Effect.Success<Asks[Name]>
}

/** Several asks in one round. */
export const all = <const Asks extends Readonly<Record<string, Ask<unknown>>>>(
  asks: Asks
): Effect.Effect<Outcomes<Asks>, never, RequestContext> => {
  const named = Object.entries(asks)
  return Effect.map(
    answers(named.map(([, ask]) => ask)),
    (found) =>
      // Each outcome was read by the ask of the same name; a record built from entries hides that from the compiler.
      Object.fromEntries(
        named.map(([name, ask], index) => [name, outcomeOf(ask, found[index])])
      ) as Outcomes<Asks>
  )
}

export type Feature = "form" | "url" | "sampling" | "sampling.tools" | "roots"

/** Whether the client can be asked so, here and now. An ask of what it cannot do ends the call with an error that says so. */
export const supports = (feature: Feature): Effect.Effect<boolean, never, RequestContext> =>
  Effect.map(RequestContext, (request) => askingOf(request).supports(needs[feature]))

/** A question that was needed and not accepted. */
export class NotAccepted extends Data.TaggedError("NotAccepted")<{
  readonly key: string
  readonly outcome: Refusal
}> {
  override get message() {
    return explain(this.outcome)
  }
}

type Refusal = Exclude<Outcome<never>, Accepted<never>>

const explain = (outcome: Refusal): string => {
  switch (outcome._tag) {
    case "Declined":
      return "The user declined."
    case "Cancelled":
      return "The user cancelled."
    case "Unavailable":
      return `The user could not be asked: ${outcome.reason}`
    case "Failed":
      return `The client could not ask the user: ${outcome.message}`
  }
}

/** The accepted content alone; any other outcome is a failure. */
export const orFail = <A>(ask: Ask<A>): Effect.Effect<A, NotAccepted, RequestContext> =>
  Effect.flatMap(ask, (outcome) =>
    outcome._tag === "Accepted"
      ? Effect.succeed(outcome.content)
      : Effect.fail(new NotAccepted({ key: ask[AskTypeId].key, outcome }))
  )

const needs = {
  form: { elicitation: { form: {} } },
  url: { elicitation: { url: {} } },
  sampling: { sampling: {} },
  "sampling.tools": { sampling: { tools: {} } },
  roots: { roots: {} }
} as const

const accepted = <A>(content: A): Outcome<A> => ({ _tag: "Accepted", content })

const refusals = { decline: { _tag: "Declined" }, cancel: { _tag: "Cancelled" } } as const

const nothing = unavailable("this request has no way to ask")

const askingOf = (request: RequestContext["Type"]): Asking => request[asking] ?? nothing

const answers = (
  asks: ReadonlyArray<Ask<unknown>>
): Effect.Effect<ReadonlyArray<Answer>, never, RequestContext> =>
  Effect.flatMap(RequestContext, (request) => askingOf(request).answer(asks.map((ask) => ask[AskTypeId])))

const outcomeOf = <A>(ask: Ask<A>, answer: Answer | undefined): Outcome<A> =>
  answer?._tag === "Response"
    ? Either.getOrThrow(ask[AskTypeId].read(answer.response))
    : (answer ?? { _tag: "Unavailable", reason: "nothing was answered" })
