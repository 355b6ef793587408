/** From the end of a handler to the reply of its request. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberRef from "effect/FiberRef"
import type { Reply } from "../Decision.js"
import type { RandomBytes } from "../RandomBytes.js"
import type { AskWay } from "./askWays.js"
import { type Ends, type Left, left } from "./frame.js"
import type { Notices } from "./notices.js"
import type { Route } from "./Route.js"
import * as Replies from "./reply.js"
import type { RequestSpan } from "./requestSpan.js"

/** How the outcome of a call is written: its result, and the name its defects have in the server's log. */
export interface Writing<in Out> {
  readonly label: string
  readonly encode: (outcome: Out) => JsonObject
}

export class CallEnds<in Out> implements Ends<Out, ProtocolError.ProtocolError, Reply, never, RandomBytes> {
  private readonly route: Route
  private readonly writing: Writing<Out>
  private readonly way: AskWay
  private readonly notices: Notices
  private readonly span: RequestSpan | undefined

  constructor(
    route: Route,
    writing: Writing<Out>,
    way: AskWay,
    notices: Notices,
    span: RequestSpan | undefined
  ) {
    this.route = route
    this.writing = writing
    this.way = way
    this.notices = notices
    this.span = span
  }

  around<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.notices.listen(effect)
  }

  onSuccess(outcome: Out | Left): Effect.Effect<Reply, never, RandomBytes> {
    if (outcome === left) return this.leftOpen
    const written = this.written(outcome)
    return Either.isLeft(written)
      ? this.onFailure(Cause.die(written.left))
      : this.finish(Effect.succeed(written.right))
  }

  /** What JSON cannot hold is a defect of the author's code like any other. */
  private written(outcome: Out): Either.Either<Reply, unknown> {
    try {
      const members = this.writing.encode(outcome)
      this.span?.result(members)
      return Either.right(Replies.result(this.route.id, members))
    } catch (defect) {
      return Either.left(defect)
    }
  }

  onFailure(cause: Cause.Cause<ProtocolError.ProtocolError>): Effect.Effect<Reply> {
    this.span?.failed(cause)
    return this.failed(cause)
  }

  /** Of a request that was interrupted there is no reply. */
  private failed(cause: Cause.Cause<ProtocolError.ProtocolError>): Effect.Effect<Reply> {
    return Effect.withFiberRuntime((fiber) => {
      const interruption = fiber.getFiberRef(FiberRef.interruptedCause)
      if (Cause.isEmpty(interruption)) return this.finish(this.refusal(cause))
      this.notices.stop()
      return Effect.zipRight(this.way.end?.() ?? Effect.void, Effect.failCause(interruption))
    })
  }

  /** Sealing what was asked may wait, and then it can be interrupted. */
  private get leftOpen(): Effect.Effect<Reply, never, RandomBytes> {
    const whenLeft =
      this.way.whenLeft?.() ?? Effect.dieMessage("A handler was left although nothing was asked")
    return Effect.matchCauseEffect(Effect.interruptible(whenLeft), {
      onSuccess: (reply) => this.finish(Effect.succeed(reply)),
      onFailure: (cause) => this.failed(cause)
    })
  }

  /** What has to go out ahead of the reply does. */
  private finish<R>(reply: Effect.Effect<Reply, never, R>): Effect.Effect<Reply, never, R> {
    const end = this.way.end?.()
    return end === undefined
      ? this.told(reply)
      : Effect.zipRight(
          end,
          Effect.suspend(() => this.told(reply))
        )
  }

  private told<R>(reply: Effect.Effect<Reply, never, R>): Effect.Effect<Reply, never, R> {
    const rest = this.notices.finish()
    return rest === undefined ? reply : Effect.zipLeft(reply, rest)
  }

  private refusal(cause: Cause.Cause<ProtocolError.ProtocolError>): Effect.Effect<Reply> {
    const { era, id } = this.route
    return Either.match(Cause.failureOrCause(cause), {
      onLeft: (failure) => Effect.succeed(Replies.error(id, failure, era)),
      onRight: (defect) =>
        Effect.as(
          Effect.logError(`${this.writing.label} died`, defect),
          Replies.error(id, new ProtocolError.InternalError(), era)
        )
    })
  }
}
