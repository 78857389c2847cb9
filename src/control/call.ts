import type * as z from 'zod/mini'
import { sharedByBuilds } from '../core/contract/builds.ts'
import type { Problem } from '../core/contract/problem.ts'
import { quote, suggest, briefMessage } from '../core/text/messages.ts'
import { toServerBases, type ClientBases, worldName, worldNameRule } from '../core/http/urls.ts'
import { parseJson, JsonError } from '../core/http/json.ts'
import { afterIfAlive } from '../core/time/clock.ts'
import type { Schema } from '../core/store/options.ts'
import { type LiveJournal, EvictedError } from '../core/journal/journal.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { World } from '../api/world.ts'
import type { EventFeed } from './answer.ts'
import { identityOf } from './shapes.ts'
import type { Texts } from '../core/text/values.ts'
import { printFailure, toControlError, toReason } from '../core/contract/errors.ts'
import { DataMemoryError } from '../core/store/memory.ts'
import { DuplicateKeyError } from '../core/store/records.ts'
import { UnknownScenarioError, UnsupportedFaultError } from '../core/world/effective-settings.ts'
import { ChangedSinceError } from '../core/world/state-differences.ts'
import { ClosedError, DroppedWorldError, SecretNameError } from '../core/world/worlds.ts'

/**
 * Something that can be done to a running Greenhouse: a route of the control API, and all that
 * follows from the table of them.
 */
export interface ControlAction {
  /** A subject and a verb: `clock.change`. */
  readonly id: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/__greenhouse`. */
  readonly path: `/${string}`
  /** The action as an order in a menu: "Move, freeze or start the clock". */
  readonly title: string
  readonly description: string
  /**
   * What it takes: the query parameters of a GET or DELETE, otherwise the body. A call with
   * anything else is rejected.
   */
  readonly input?: Schema
  /**
   * Query parameters that have no end of names, by their first part, and what they select:
   * `where.tag`.
   */
  readonly prefixes?: Texts
  /** The answer; for a stream, the data of an event. Absent: 204. */
  readonly output?: Schema
  readonly status?: 201
  /** The server-sent events that it answers: the data of each type. */
  readonly events?: Readonly<Record<string, Schema>>
  /** True if it deletes something that it can't bring back. */
  readonly destructive?: true
  /**
   * True if a change needs the world to be there. Otherwise, it creates the world if it does not
   * exist, unless it fails.
   */
  readonly needsWorld?: true
  /**
   * How its commands are written, and what each does, where that is not the words of its id: `clock
   * advance <advance>`, `clock freeze --frozen`. A text says which command made by hand does it, or
   * why none does.
   */
  readonly commands?: Texts | string
  /** True if it is what its group does without a further word: `clock`. */
  readonly isDefault?: true
  /** The meaning of an empty list, as a sentence. */
  readonly whenEmpty?: string
  /** True if nobody can take it back, although it changes a world. */
  readonly isFinal?: true
  run(call: Call, input: unknown): unknown
}

export function takesBody({ method }: ControlAction): boolean {
  return method !== 'GET' && method !== 'DELETE'
}

interface ActionDefinition<In, Out> extends Omit<
  ControlAction,
  'id' | 'method' | 'path' | 'input' | 'output' | 'run'
> {
  readonly input?: In
  readonly output?: Out
  run(call: Call, input: ParsedOf<In>): ActionResult<Out> | Promise<ActionResult<Out>>
}

type ParsedOf<T> = T extends Schema ? z.output<T> : undefined

type ActionResult<Out> = Out extends Schema ? Immutable<z.output<Out>> | EventFeed : unknown

export type Immutable<T> = T extends (...values: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [Name in keyof T]: Immutable<T[Name]> }
    : T

export interface TypedAction<Route = string, In = unknown, Out = unknown> extends ControlAction {
  readonly _types?: {
    readonly route: Route
    readonly input: In
    readonly output: Out
  }
}

type TypesOf<One extends TypedAction> = NonNullable<One['_types']>

/**
 * @param id a subject and a verb: `clock.change` @param route its method, and its path below
 * `/__greenhouse`
 */
export function defineAction<
  const Route extends `${ControlAction['method']} ${ControlAction['path']}`,
  In extends Schema | undefined = undefined,
  Out extends Schema | undefined = undefined,
>(id: string, route: Route, definition: ActionDefinition<In, Out>): TypedAction<Route, In, Out> {
  const [method, path] = route.split(' ') as [ControlAction['method'], ControlAction['path']]
  return {
    id,
    method,
    path,
    ...definition,
  }
}

/** The input of each action of a table, by method and path; `undefined` for nothing. */
export type InputsOf<Table extends TypedAction> = {
  readonly [One in Table as TypesOf<One>['route']]: TypesOf<One>['input'] extends Schema
    ? Immutable<z.input<TypesOf<One>['input']>>
    : undefined
}

/** The answer of each action of a table, by method and path; `undefined` for 204. */
export type AnswersOf<Table extends TypedAction> = {
  readonly [One in Table as TypesOf<One>['route']]: ParsedOf<TypesOf<One>['output']>
}

export interface ControlCall {
  readonly method: string
  /** The path below `/__greenhouse`, percent-encoded: `/worlds/default`. */
  readonly path: string
  readonly query?: string
  /** Reads the body, unless the call is a GET. */
  readonly readText?: () => Promise<string>
  readonly origin: string
  readonly bases?: ClientBases
  readonly signal?: AbortSignal
  /** Reads YAML; absent in a page, which would have to load a parser. */
  readonly parseYaml?: (file: string, text: string) => Promise<Yaml>
}

interface Yaml {
  readonly data: unknown
  readonly problems: readonly Problem[]
  locate(problem: Problem): Problem
}

const undos = sharedByBuilds('undos', () => ({ count: 0 }))

export class Call {
  readonly greenhouse: Greenhouse
  readonly actions: readonly ControlAction[]
  readonly origin: string
  readonly bases: ClientBases
  /** The id of its change, if there is something to take back. */
  undo: string | undefined
  readonly #params: Texts
  readonly #call: ControlCall

  constructor(
    greenhouse: Greenhouse,
    actions: readonly ControlAction[],
    params: Texts,
    call: ControlCall,
  ) {
    this.greenhouse = greenhouse
    this.actions = actions
    this.origin = call.origin
    this.bases = call.bases ?? toServerBases(call.origin)
    this.#params = params
    this.#call = call
  }

  /** In a page, which has no parser for YAML, it reads JSON. @throws ControlError */
  async readYaml(file: string, text: string): Promise<Yaml> {
    const { parseYaml } = this.#call
    if (parseYaml) return parseYaml(file, text)
    try {
      return {
        data: parseJson(text),
        problems: [],
        locate: (problem) => problem,
      }
    } catch {
      throw invalid(`${file} is not JSON. Greenhouse reads YAML on a server only.`)
    }
  }

  param(name: string): string {
    const value = this.#params[name]
    if (value === undefined) throw new Error(`The path of the action has no ${name}.`)
    return value
  }

  get query(): Record<string, string> {
    const pairs = [...new URLSearchParams(this.#call.query)]
    const names = new Set<string>()
    for (const [name] of pairs) {
      if (names.has(name))
        throw invalid(`The query parameter ${quote(name)} is sent more than once.`)
      names.add(name)
    }
    // Schemas would ignore it.
    if (names.has('__proto__')) throw invalid('The name "__proto__" is not allowed in a query.')
    return Object.fromEntries(pairs)
  }

  get world(): World {
    const name = this.worldName
    if (this.greenhouse.hasWorld(name)) return this.greenhouse.world(name)
    throw this.#unknownWorld(name, ` Any request to /~${name}/… creates it.`)
  }

  get journal(): LiveJournal {
    return this.world.core.journal
  }

  /**
   * Does `work` in the world in the path so that it can be taken back. May create the world if it
   * is not there, unless `work` fails.
   */
  async change<T>(work: () => T | Promise<T>, needsWorld = false): Promise<T> {
    if (needsWorld) void this.world
    const name = this.worldName
    const wasThere = this.greenhouse.hasWorld(name)
    // A page may still know changes of a server that was restarted.
    const id = `undo-${identityOf(this.greenhouse)}.${++undos.count}`
    try {
      const { core } = this.greenhouse.world(name)
      const result = core.state.saved.doChange(id, work)
      if (core.state.saved.findChange(id)) this.undo = id
      return await result
    } catch (error) {
      if (!wasThere) this.greenhouse.deleteWorld(name)
      throw error
    }
  }

  deleteWorld(): void {
    const name = this.worldName
    if (!this.greenhouse.deleteWorld(name)) throw this.#unknownWorld(name)
  }

  get snapshot(): string {
    return checkWorldName(this.param('snapshot'), 'snapshot')
  }

  #unknownWorld(name: string, advice = ''): ControlError {
    const suggestion = suggest(name, this.greenhouse.worlds())
    return notFound('world', `There is no world "${name}".${advice}${suggestion}`)
  }

  get worldName(): string {
    return checkWorldName(this.param('world'), 'world')
  }
}

function checkWorldName(name: string, what: string): string {
  if (worldName.test(name)) return name
  const expected = `a name is ${worldNameRule}`
  throw new ControlError(
    400,
    `invalid_${what}`,
    `Failed to find the ${what} ${quote(name)}: ${expected}`,
  )
}

export function findRecord<T extends { readonly id: string }>(
  what: string,
  id: string,
  stored: {
    get(id: string): Readonly<T> | undefined
    all(): readonly Readonly<T>[]
  },
  world: { readonly name: string },
): Readonly<T> {
  const record = stored.get(id)
  if (record) return record
  const known = stored.all().map((one) => one.id)
  const listed = `${known.slice(0, 5).join(', ')}${known.length > 5 ? ' and others' : ''}`
  const hint = suggest(id, known) || (known.length > 0 ? ` It has ${listed}.` : '')
  throw notFound(what, `The world "${world.name}" has no ${what} ${quote(id)}.${hint}`)
}

/** The longest wait of a control call for work that it started, in milliseconds of real time. */
const longestWait = 10_000

export async function waitFor(work: Promise<void>): Promise<void> {
  // The caller's connection alone keeps the process alive.
  await new Promise<void>((resolve, reject) => {
    const stopWaiting = afterIfAlive(longestWait, resolve)
    work.finally(stopWaiting).then(resolve, reject)
  })
}

export class ControlError extends Error {
  override name = 'ControlError'
  readonly status: number
  readonly code: string
  readonly fields: readonly FieldError[] | undefined

  constructor(status: number, code: string, message: string, fields?: readonly FieldError[]) {
    super(message)
    this.status = status
    this.code = code
    this.fields = fields
  }
}

export function invalid(message: string, fields?: readonly FieldError[]): ControlError {
  return new ControlError(400, 'invalid_request', message, fields)
}

export function notFound(what: string, message: string): ControlError {
  return new ControlError(404, `unknown_${what}`, message)
}

export function conflict(code: string, message: string): ControlError {
  return new ControlError(409, code, message)
}

/** A field of a call that is wrong. */
export interface FieldError {
  /** A JSON pointer. */
  readonly path: string
  readonly message: string
}

export function toFailure(
  error: unknown,
  redact: (text: string) => string,
): {
  status: number
  body: object
} {
  const { status, code, message, fields } =
    error instanceof ControlError ? error : asControlError(error)
  const body = toControlError(code, redact(message))
  if (!fields) return { status, body }
  const errors = fields.map((field) => ({
    path: redact(field.path),
    message: briefMessage(redact(field.message)),
  }))
  return {
    status,
    body: { error: { ...body.error, errors } },
  }
}

/** The reply for each class of error of other rooms. The first class that fits counts. */
const kinds = [
  [SecretNameError, 400, 'invalid_world'],
  [DroppedWorldError, 409, 'world_dropped'],
  [ClosedError, 503, 'greenhouse_closed'],
  [DataMemoryError, 507, 'data_memory_full'],
  [EvictedError, 409, 'journal_evicted'],
  [UnsupportedFaultError, 400, 'unsupported_fault'],
  [UnknownScenarioError, 400, 'unknown_scenario'],
  [ChangedSinceError, 409, 'changed_since'],
  [DuplicateKeyError, 409, 'duplicate_record'],
  [RangeError, 400, 'invalid_request'],
  [JsonError, 400, 'invalid_request'],
] as const

function asControlError(error: unknown): ControlError {
  const message = toReason(error)
  for (const [kind, status, code] of kinds)
    if (error instanceof kind) return new ControlError(status, code, message)
  printFailure('Greenhouse failed to answer a control request:', error)
  return new ControlError(500, 'internal_error', 'Something went wrong in Greenhouse.')
}
