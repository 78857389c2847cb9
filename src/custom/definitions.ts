import type { Key, PlanFixture, PlanName } from '../core/accounts/accounts.ts'
import { custom, list, object } from '../core/store/options.ts'
import type { AreaData, Catalogue } from '../catalogue/fold-areas.ts'
import type { Account, Records, WorldRecords } from '../catalogue/records.ts'
import type { OwnNames, WrittenScenarios } from '../catalogue/inferred-names.ts'
import type { PathNames } from '../core/text/values.ts'
import type { GreenhouseHooks } from './hooks.ts'
import type { OwnSchema, ValueOf } from './schema.ts'

/** The parameters of a path: texts, unless `params` has a schema. */
export type PathValues<Path extends string, Params> = {
  readonly [Name in PathNames<Path>]: Params extends OwnSchema
    ? Name extends keyof ValueOf<Params>
      ? ValueOf<Params>[Name]
      : string
    : string
}

/** A reply that a handler returns with its own status: `reply(201, plant)`. */
export interface OwnReply {
  readonly status: number
  readonly body?: unknown
}

/** The request as a handler gets it, and the tools to act in the world. */
export interface OperationContext<
  Params = Readonly<Record<string, string>>,
  Query = unknown,
  Body = unknown,
> {
  /** The parameters of the path. */
  readonly params: Params
  /** The parameters of the query, as its schema returns them. */
  readonly query: Query
  /** The body, as its schema returns it. */
  readonly body: Body
  /** The headers, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The key, its account, and the account's plan. */
  readonly caller: {
    readonly key: Readonly<Key>
    readonly account: Readonly<Account>
    readonly plan: PlanName
  }
  /** The name of the world. */
  readonly world: string
  /** When the request arrived, on the world's clock, in milliseconds since 1970. */
  readonly now: number
  /** The records that this request sees, by collection, as in `world.records`. */
  readonly records: WorldRecords
  /** The records of a collection of your own. */
  collection<T extends object>(collection: OwnCollection<T>): Records<T>
  /**
   * Returns an id that no record of your collections has: `id('watering')` gives `watering_` and 16
   * characters, the same ones for the same seed.
   */
  id(prefix: string): string
  /**
   * Returns a number from 0 to 1, the same ones for the same seed. Use it instead of `Math.random`.
   */
  random(): number
  /**
   * Sends an event to the webhooks that subscribe to it. @param app the app that it is about;
   * webhooks for other apps do not get it.
   */
  emit(type: string, data: Readonly<Record<string, unknown>>, app?: string): void
  /**
   * Returns the value of an assumption: one of your own, or of Greenhouse. @throws RangeError for
   * an unknown one.
   */
  assume(id: string): string
  /** Returns a reply with another status than the first of `status`. */
  reply(status: number, body?: unknown): OwnReply
  /**
   * Refuses the request: throws an error that gets the area's shape. Nothing that the handler wrote
   * stays.
   * @example throw error(404, 'There is no plant 9.')
   */
  error(status: number, message: string, code?: string): Error
  /**
   * Calls the operation that this one overrides, with the same request. @throws TypeError in an
   * operation that overrides none.
   */
  next(): OwnReply
}

/** An operation of your own. */
export interface OperationOptions<
  Path extends string = string,
  Params extends OwnSchema | undefined = undefined,
  Query extends OwnSchema | undefined = undefined,
  Body extends OwnSchema | undefined = undefined,
> {
  /** `<resource>.<verb>`: `plants.water`. */
  id?: string | undefined
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined
  /** Below the base of its area, with parameters in braces: `/plants/{id}/water`. */
  path?: Path | undefined
  /**
   * The area whose rules it follows, for errors and limits: `plants`, `apps`, or one of a plug-in.
   * The part of `id` before the dot by default.
   */
  area?: string | undefined
  /**
   * The id of a built-in operation that this one replaces: `apps.list`. What is left out stays as
   * it is there.
   */
  overrides?: string | undefined
  /**
   * The scope that a key needs: `plants:water`, or a built-in one. `any` by default: every valid
   * key may call it.
   */
  scope?: string | undefined
  /** A short description. The id by default. */
  title?: string | undefined
  /** The schema of an object with the parameters of the path. Texts by default. */
  params?: Params | undefined
  /** The schema of an object with the parameters of the query. */
  query?: Query | undefined
  /** The schema of the JSON body. Without it, the operation takes no body. */
  body?: Body | undefined
  /** An example of a body, for the document. */
  example?: Readonly<Record<string, unknown>> | undefined
  /** The schema of a successful reply's body. */
  result?: OwnSchema | undefined
  /**
   * The status of a successful reply, or all of them, the usual one first. By default 200, or 204
   * for a handler without a result.
   */
  status?: number | readonly number[] | undefined
  /** The errors that the document names, as statuses: `[404]`. The handler may throw others. */
  errors?: readonly number[] | undefined
  /** The events that the handler emits, with the schema of their data. */
  emits?: Readonly<Record<string, OwnSchema>> | undefined
  /**
   * Answers a request whose key, quota, scope and input are right. It runs as one step: what it
   * wrote is undone when it throws. Returns the body of the reply, or `reply(status, body)`. Cannot
   * be asynchronous, so that no request runs in between.
   */
  handle(
    context: OperationContext<
      PathValues<Path, Params>,
      Query extends OwnSchema ? ValueOf<Query> : Readonly<Record<string, string>>,
      Body extends OwnSchema ? ValueOf<Body> : undefined
    >,
  ): unknown
}

/** The values that `defineOperation`, `defineCollection` and `definePlugin` return. */
interface Defined<Part extends string, Options> {
  readonly part: Part
  /** @internal */
  readonly options: Options
  /**
   * Turns what a user adds into one more area. Definitions bring this, so that a page without any
   * does not load it. @internal
   */
  readonly toArea: (additions: Additions, known: Catalogue) => AreaData
}

type AnySchema = OwnSchema | undefined
type AnyOperationOptions = OperationOptions<string, AnySchema, AnySchema, AnySchema>

/** An operation of your own, for the option `operations` and for plug-ins. */
export interface OwnOperation extends Defined<'operation', AnyOperationOptions> {
  /** `plants.water`, or the id of the operation that it overrides. */
  readonly id: string
}

/** A collection of your own. */
export interface CollectionOptions<
  Schema extends OwnSchema = OwnSchema,
  Name extends string = string,
> {
  /** Its name in fixtures and in `world.records`: `waterings`. */
  name: Name
  /**
   * The schema of a record. With a field `account`, records belong to the account that it names.
   */
  schema: Schema
  /** The field that identifies a record. `id` by default. */
  key?: string | undefined
  /**
   * Fields that refer to a record of another collection, with the name of that collection: `{
   * plant: 'plants' }`.
   */
  refers?: Readonly<Record<string, string>> | undefined
}

/** A collection of your own, for the option `collections` and for plug-ins. */
export interface OwnCollection<
  T extends object = object,
  Name extends string = string,
> extends Defined<'collection', CollectionOptions> {
  readonly name: Name
  /** The type of a record. It exists for TypeScript only. */
  readonly record?: T
}

/** An assumption of your own. */
export interface OwnAssumption {
  /** The question that it answers. */
  question: string
  /** All values; the first one is the default. */
  values: readonly [string, ...string[]]
}

/** An area of your own: operations below a base path. */
export interface OwnArea {
  /** Its name: `sensors`. */
  name: string
  /** The prefix of its paths: `/sensors/v1`. A slash and the name by default. */
  base?: string | undefined
  /** A short title for people. The name by default. */
  title?: string | undefined
  /** The version that the document shows. `1` by default. */
  version?: string | undefined
}

/** The members of a plug-in. All but the name are optional. */
export interface PluginOptions extends Pick<Additions, 'operations' | 'collections' | 'hooks'> {
  /** Its name, for messages: `our-shop`. */
  name: string
  /** Its own areas. Their errors and limits are those of app management. */
  areas?: readonly OwnArea[] | undefined
  /**
   * Events that it does not emit itself, with the schema of their data: `world.trigger` sends them.
   */
  events?: Readonly<Record<string, OwnSchema>> | undefined
  /** Scenarios, by name, in the form of scenario files. */
  scenarios?: WrittenScenarios | undefined
  /** Records that every world starts with, by collection, next to the fixtures. */
  fixtures?: Readonly<Record<string, readonly unknown[]>> | undefined
  /**
   * Assumptions, by id: `{ 'plants.water.amount': { question: 'How much may one ask for?', values:
   * ['10', '50'] } }`.
   */
  assumptions?: Readonly<Record<string, OwnAssumption>> | undefined
}

/** A plug-in, for the option `plugins`. */
export interface Plugin<Own extends OwnNames = OwnNames> extends Defined<'plugin', PluginOptions> {
  readonly name: string
  /** The names of its scenarios and collections. They exist for TypeScript only. */
  readonly names?: Own
}

/** The parts that a user adds to a Greenhouse. */
export interface Additions {
  /** Operations of your own: `defineOperation` of `greenhouse-mock/config` makes them. */
  operations?: readonly OwnOperation[] | undefined
  /** Collections of your own: `defineCollection` of `greenhouse-mock/config` makes them. */
  collections?: readonly OwnCollection[] | undefined
  /**
   * Plans that change those of the reference, or add to them: `[{ id: 'pro', minute: 10 }]`.
   * Fixtures may have others.
   */
  plans?: readonly PlanFixture[] | undefined
  /** Functions to call with requests, replies, events and changes of worlds. */
  hooks?: GreenhouseHooks | undefined
  /** Plug-ins: `definePlugin` of `greenhouse-mock/config` makes them. */
  plugins?: readonly Plugin[] | undefined
}

export const additionSchemas = {
  operations: parts('operation', 'defineOperation'),
  collections: parts('collection', 'defineCollection'),
  plugins: parts('plugin', 'definePlugin'),
  plans: list('a list of plans, such as [{ id: "pro", minute: 10 }]', object('a plan')),
}

function parts(name: string, define: string) {
  const words = `a list of what ${define}() returns`
  return list(
    words,
    custom(words, (value) => (value as { readonly part?: unknown } | null)?.part === name),
  )
}
