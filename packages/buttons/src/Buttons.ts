/** Everything about one folder of buttons, for whoever serves it: what is in it, pressing, and what was pressed. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Batteries from "./Batteries.js"
import * as ButtonCatalogue from "./ButtonCatalogue.js"
import * as ButtonWriter from "./ButtonWriter.js"
import type { DataDir } from "./DataDir.js"
import * as Definitions from "./definitions/Definitions.js"
import * as DefinitionsCatalogue from "./definitions/DefinitionsCatalogue.js"
import * as DefinitionsHistory from "./definitions/DefinitionsHistory.js"
import * as HostAddresses from "./http/HostAddresses.js"
import * as HostPolicy from "./http/HostPolicy.js"
import * as HttpClient from "./http/HttpClient.js"
import * as HttpRunner from "./http/HttpRunner.js"
import * as HostFacts from "./internal/hostFacts.js"
import { recover } from "./internal/pressRecovery.js"
import * as Press from "./Press.js"
import * as PressHistory from "./PressHistory.js"
import * as PressJournal from "./PressJournal.js"
import * as PressKeys from "./PressKeys.js"
import * as PressQueues from "./PressQueues.js"
import * as PressRates from "./PressRates.js"
import * as PressRunner from "./PressRunner.js"
import * as PressSlots from "./PressSlots.js"
import * as RunIds from "./RunIds.js"
import * as Runtime from "./Runtime.js"

export type Services =
  | ButtonCatalogue.ButtonCatalogue
  | ButtonWriter.ButtonWriter
  | Definitions.Definitions
  | Press.Press
  | PressHistory.PressHistory

export interface Options extends Press.ProcessOptions {
  /** A definitions file, whose buttons, resources and prompts join those of the folder. */
  readonly definitions?: string | undefined
  /** How long what belongs to the end of a press may take. */
  readonly runner?: PressRunner.Options | undefined
  /** How often a principal may press a button. */
  readonly rates?: PressRates.Options | undefined
  /** How long, and how many, presses wait for each other. */
  readonly queues?: PressQueues.Options | undefined
  /** How many presses of agents run at the same time. */
  readonly slots?: PressSlots.Options | undefined
  /** Which hosts HTTP buttons may reach. When left out, what the environment permits. */
  readonly hosts?: HostPolicy.HostPolicy | undefined
}

/**
 * Reads and writes the folder, and runs its buttons as processes. Environment and PATH are those of this process. What a
 * server that died has left running is ended first.
 */
export const layer = (dataDir: DataDir, options: Options = {}): Layer.Layer<Services> =>
  Layer.scopedContext(make(dataDir, options))

/** The same for who presses nothing: what other servers run, or have left running, is none of its business. */
export const layerAtRest = (
  dataDir: DataDir,
  options: Options = {}
): Layer.Layer<Exclude<Services, Press.Press>> =>
  Layer.scopedContext(
    Effect.flatMap(hands(dataDir, options), (context) => Effect.provide(written(dataDir, options), context))
  )

/** What `layer` gives. In one piece: each layer costs a start some hundred microseconds. */
export const make = Effect.fnUntraced(function* (
  dataDir: DataDir,
  options: Options = {}
): Effect.fn.Return<Context.Context<Services>, never, Scope.Scope> {
  const within = yield* hands(dataDir, options)
  const context = yield* Effect.provide(written(dataDir, options), within)
  const press = Effect.zipRight(recover, Press.makeProcess(options))
  return Context.add(context, Press.Press, yield* Effect.provide(press, Context.merge(within, context)))
})

/** What stands in the folder, and in the definitions file. */
const written = Effect.fnUntraced(function* (dataDir: DataDir, options: Options) {
  const folder = ButtonCatalogue.makeFileSystem(dataDir)
  const runs = yield* PressHistory.makeFileSystem(dataDir)
  const { definitions: file } = options
  const definitions = file === undefined ? Definitions.none : yield* Definitions.makeFile(file, options)
  const catalogue = file === undefined ? folder : DefinitionsCatalogue.make(folder, definitions)
  return Context.empty().pipe(
    Context.add(Definitions.Definitions, definitions),
    Context.add(ButtonCatalogue.ButtonCatalogue, catalogue),
    Context.add(
      PressHistory.PressHistory,
      file === undefined ? runs : DefinitionsHistory.make(runs, definitions)
    ),
    Context.add(ButtonWriter.ButtonWriter, ButtonWriter.makeFileSystem(dataDir, catalogue))
  )
})

/** What carries out presses, and lets them. */
const hands = Effect.fnUntraced(function* (dataDir: DataDir, options: Options) {
  const facts = yield* HostFacts.gather
  const environment = yield* HostFacts.environment
  const services = {
    policy: options.hosts ?? (yield* permitted(environment)),
    client: HttpClient.ofNode(),
    addresses: HostAddresses.ofSystem
  }
  return Context.empty().pipe(
    Context.add(PressRunner.PressRunner, yield* PressRunner.makeProcess(options.runner)),
    Context.add(PressJournal.PressJournal, yield* PressJournal.makeFileSystem(dataDir)),
    Context.add(PressKeys.PressKeys, yield* PressKeys.makeFileSystem(dataDir)),
    Context.add(PressRates.PressRates, PressRates.makeMemory(options.rates)),
    Context.add(PressQueues.PressQueues, PressQueues.makeMemory(options.queues)),
    Context.add(PressSlots.PressSlots, PressSlots.makeMemory(options.slots)),
    Context.add(HttpRunner.HttpRunner, HttpRunner.make(services)),
    Context.add(Batteries.Batteries, Batteries.ofFiles(Batteries.files(dataDir, facts))),
    Context.add(Runtime.Interpreters, Runtime.onPath(environment["PATH"])),
    Context.add(RunIds.RunIds, RunIds.random)
  )
})

/** A list of hosts that cannot be read opens none of them. */
const permitted = (environment: HostFacts.Environment): Effect.Effect<HostPolicy.HostPolicy> =>
  Either.match(HostPolicy.fromEnvironment(environment), {
    onLeft: (problem) => Effect.as(Effect.logError(problem), HostPolicy.publicOnly),
    onRight: Effect.succeed
  })
