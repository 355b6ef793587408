/** What a layer gives, built at most once among all layers that are built together, whoever of them asks for it. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

/** Only for the effects that layers are made of. */
export const builtOnce = <A, E, R>(
  layer: Layer.Layer<A, E, R>
): Effect.Effect<Context.Context<A>, E, R | Scope.Scope> =>
  Effect.flatMap(Effect.zip(Layer.CurrentMemoMap, Effect.scope), ([layers, scope]) =>
    // As a part of another layer, for it is parts that are looked up.
    Layer.buildWithMemoMap(Layer.extendScope(layer), layers, scope)
  )
