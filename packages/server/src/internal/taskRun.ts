/** One task that runs here: the work in its fiber, the task as it stands, and the questions it waits on. */
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as Json from "@pushbutton/protocol/Json"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as Task from "@pushbutton/protocol/Task"
import * as Deferred from "effect/Deferred"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import type { Reply } from "../Decision.js"
import { AskChanged, type Question } from "./asking.js"
import { canonicalJson } from "./canonicalJson.js"

/** Why the work is ended before its end; the first reason counts. */
export type Reason =
  | { readonly _tag: "Cancelled" }
  | { readonly _tag: "Expired" }
  | { readonly _tag: "Shutdown" }
  /** It asked what the client cannot be asked. */
  | { readonly _tag: "Lacking"; readonly required: JsonObject }

/** A question that is put to the client. */
class Waiting {
  readonly question: Question
  /** The question as canonical JSON. */
  readonly asked: string
  /** The key the client sees. */
  readonly wireKey: string
  readonly response = Deferred.unsafeMake<JsonValue>(FiberId.none)
  waiters = 1

  constructor(question: Question, asked: string, wireKey: string) {
    this.question = question
    this.asked = asked
    this.wireKey = wireKey
  }
}

interface Answered {
  readonly asked: string
  readonly response: JsonValue
}

export class Run {
  readonly owner: string | undefined
  /** As declared with the call: decides what may be asked (the capabilities of later polls may differ). */
  readonly clientCapabilities: JsonObject
  task: Task.Task
  fiber: Fiber.RuntimeFiber<Reply> | undefined
  /** Ends the work when its time is over. */
  timer: Fiber.RuntimeFiber<void> | undefined
  reason: Reason | undefined
  private readonly waiting = new Map<string, Waiting>()
  private readonly answered = new Map<string, Answered>()

  constructor(task: Task.Task, owner: string | undefined, clientCapabilities: JsonObject) {
    this.task = task
    this.owner = owner
    this.clientCapabilities = clientCapabilities
  }

  /** Interrupts the work; what becomes of the task is decided when it has ended. */
  end(reason: Reason): void {
    this.reason ??= reason
    this.fiber?.unsafeInterruptAsFork(FiberId.none)
  }

  /**
   * What each question gets: a response of before, or one to wait for. A key stands for one question in the whole
   * call; under another key of the wire it may be put again.
   */
  ask(questions: ReadonlyArray<Question>): {
    readonly found: ReadonlyArray<JsonValue | Waiting>
    readonly requests: JsonObject
  } {
    const requests: Array<readonly [string, JsonValue]> = []
    const found = questions.map((question): JsonValue | Waiting => {
      const { key } = question
      const request: JsonValue = JSON.parse(JSON.stringify(question.request))
      const asked = canonicalJson(request)
      const before = this.answered.get(key)
      const pending = this.waiting.get(key)
      const known = before?.asked ?? pending?.asked
      if (known !== undefined && known !== asked) throw new AskChanged({ key })
      if (before !== undefined && question.refuse(before.response) === undefined) return before.response
      if (pending !== undefined) {
        pending.waiters++
        return pending
      }
      const wireKey = Task.freshKey(this.task, key)
      const waiting = new Waiting(question, asked, wireKey)
      this.waiting.set(key, waiting)
      requests.push([wireKey, request])
      return waiting
    })
    return { found, requests: Object.fromEntries(requests) }
  }

  /** The keys whose questions nobody waits for any more. */
  withdraw(found: ReadonlyArray<JsonValue | Waiting>): ReadonlyArray<string> {
    const closed: Array<string> = []
    for (const waiting of found) {
      if (!isWaiting(waiting) || --waiting.waiters > 0) continue
      if (this.waiting.get(waiting.question.key) !== waiting) continue
      this.waiting.delete(waiting.question.key)
      closed.push(waiting.wireKey)
    }
    return closed
  }

  /**
   * Takes the responses to open questions; others are ignored. Left, and none is taken, when one does not answer its
   * question. Whoever waits goes on with `deliver`.
   */
  take(
    responses: JsonObject
  ): Either.Either<
    { readonly keys: ReadonlyArray<string>; readonly deliver: () => void },
    ProtocolError.InvalidParams
  > {
    const taken: Array<{ readonly waiting: Waiting; readonly response: JsonValue }> = []
    for (const waiting of this.waiting.values()) {
      const response = Json.own(responses, waiting.wireKey)
      if (response === undefined) continue
      const problem = waiting.question.refuse(response)
      if (problem !== undefined) {
        const detail = `params.inputResponses[${JSON.stringify(waiting.wireKey)}] is no answer: ${problem}`
        return Either.left(new ProtocolError.InvalidParams({ detail }))
      }
      taken.push({ waiting, response })
    }
    for (const { response, waiting } of taken) {
      this.waiting.delete(waiting.question.key)
      this.answered.set(waiting.question.key, { asked: waiting.asked, response })
    }
    return Either.right({
      keys: taken.map(({ waiting }) => waiting.wireKey),
      deliver: () => {
        for (const { response, waiting } of taken) Deferred.unsafeDone(waiting.response, succeed(response))
      }
    })
  }

  /** What the end of the work makes of the task: the reply that the call would have had, or why there is none. */
  outcome(exit: Exit.Exit<Reply>): Task.Event {
    if (exit._tag === "Success") return eventOf(exit.value)
    switch (this.reason?._tag) {
      case "Cancelled":
        return { _tag: "Cancelled", message: "The task was cancelled" }
      case "Expired":
        return { _tag: "Failed", error: Task.interrupted("The task did not end within its time to live") }
      case "Shutdown":
        return {
          _tag: "Failed",
          error: Task.interrupted("The server was stopped, and the task's work with it")
        }
      case "Lacking":
        return failed(new ProtocolError.MissingRequiredClientCapability({ required: this.reason.required }))
      case undefined:
        return failed(new ProtocolError.InternalError())
    }
  }
}

export const isWaiting = (found: JsonValue | Waiting): found is Waiting => found instanceof Waiting

const succeed = <A>(value: A): Effect.Effect<A> => Either.right(value)

const failed = (error: ProtocolError.ProtocolError): Task.Event => ({
  _tag: "Failed",
  error: ProtocolError.toErrorObject(error, "modern")
})

/** A task is `failed` by JSON-RPC errors only; a tool's own failure is a result like any other (MUST NOT). */
const eventOf = ({ text }: Reply): Task.Event => {
  const message = JsonRpc.decode(text)
  const body = message._tag === "Response" ? message.body : {}
  const result = Json.own(body, "result")
  if (Json.isObject(result)) return { _tag: "Completed", result }
  const error = Json.own(body, "error")
  return Json.isObject(error)
    ? { _tag: "Failed", error: errorOf(error) }
    : failed(new ProtocolError.InternalError())
}

const errorOf = (error: JsonObject): JsonRpc.ErrorObject => {
  const data = Json.own(error, "data")
  return {
    code: Number(Json.own(error, "code")),
    message: String(Json.own(error, "message")),
    ...(data === undefined ? {} : { data })
  }
}
