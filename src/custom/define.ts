import { namesInPath } from '../core/text/values.ts'
import { codedError } from '../core/text/error-codes.ts'
import * as z from 'zod/mini'
import { anyText } from '../core/contract/zod.ts'
import { isObject, rejectSecondArgument, withCallerStack } from '../core/contract/options.ts'
import { quote } from '../core/text/messages.ts'
import {
  checkArgument,
  custom,
  expecting,
  list,
  object,
  oneOf,
  type SchemasOf,
  text,
  withRequired,
} from '../core/store/options.ts'
import type { NamesOf, NamingOptions, WrittenScenarios } from '../catalogue/inferred-names.ts'
import {
  additionSchemas,
  type CollectionOptions,
  type OperationOptions,
  type OwnArea,
  type OwnCollection,
  type OwnOperation,
  type Plugin,
  type PluginOptions,
} from './definitions.ts'
import { hooksSchema } from './hooks.ts'
import { isDottedName, toArea } from './to-area.ts'
import type { OwnSchema, ValueOf } from './schema.ts'

const schemaOption = custom(
  'a schema of Zod 4 or a JSON Schema',
  // Schemas of some libraries are functions. `toZod` says what is wrong with those.
  (value) => /object|function/.test(typeof value) && value !== null,
)
const recordsOption = object('an object of records by collection')
const schemasByEvent = object('an object of schemas by event, such as { "plant.watered": schema }')

const expectingStatus = expecting('a status from 200 to 399, such as 201, or a list of them')
const successStatus = z
  .int(expectingStatus)
  .check(z.gte(200, expectingStatus), z.lte(399, expectingStatus))
const expectingErrors = expecting('a list of statuses from 400 to 599, such as [404]')
const failureStatus = z
  .int(expectingErrors)
  .check(z.gte(400, expectingErrors), z.lte(599, expectingErrors))

/** Returns whether a path can be reached, and has each parameter only once. */
function isOwnPath(path: string): boolean {
  const names = namesInPath(path)
  // `/__greenhouse` is the control API, and `/~name` begins the paths of a world. Clients resolve
  // the segments `.` and `..`.
  const isReachable = !/^\/(__greenhouse|~)|\/\.\.?(\/|$)/.test(path)
  return (
    isReachable &&
    /^(\/|(\/([\w.~-]+|\{\w+\}))+)$/.test(path) &&
    names.every((name, index) => names.indexOf(name) === index && name !== '__proto__')
  )
}

const operationSchemas: SchemasOf<OperationOptions> = {
  id: text('an id: <resource>.<verb>, such as "plants.water"', isDottedName),
  method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: text('a path below the base of its area, such as "/plants/{id}/water"', isOwnPath),
  area: text('the name of an area, such as "plants"'),
  overrides: text('the id of a built-in operation, such as "apps.list"'),
  scope: text(
    'a scope, such as "plants:water", or "any"',
    (value) => value === 'any' || /^[a-z][\w-]*:[a-z][\w-]*$/i.test(value),
  ),
  title: text('a short description, such as "Water a plant"'),
  params: schemaOption,
  query: schemaOption,
  body: schemaOption,
  example: object('a body, such as { liters: 2 }'),
  result: schemaOption,
  status: z.union(
    [successStatus, z.array(successStatus).check(z.minLength(1, expectingStatus))],
    expectingStatus,
  ),
  errors: z.array(failureStatus, expectingErrors),
  emits: schemasByEvent,
  handle: custom(
    'a function that answers a request in one step: it is not async, and returns the reply itself',
    (value) => typeof value === 'function' && !/Async/.test(Object.prototype.toString.call(value)),
  ),
}

const collectionSchemas: SchemasOf<CollectionOptions> = {
  // Fixture files use four names for other purposes, and every object has those of `{}`.
  name: text(
    'a name, such as "waterings"',
    (value) =>
      /^[a-z][\w-]*$/i.test(value) &&
      !['extends', 'remove', 'generate', 'gone'].includes(value) &&
      !(value in {}),
  ),
  schema: schemaOption,
  key: text('the field that tells records apart, such as "id"'),
  refers: object('an object of collections by field, such as { plant: "plants" }'),
}

const areaSchemas: SchemasOf<OwnArea> = {
  name: text('a name, such as "sensors"', (value) => /^[a-z][\w-]*$/i.test(value)),
  base: text(
    'a path, such as "/sensors/v1"',
    (value) => /^(\/[\w.-]+)+$/.test(value) && !value.startsWith('/__greenhouse'),
  ),
  title: text('a short title'),
  version: text('a version, such as "1"'),
}

const expectingValues = expecting('a list of texts, the default first, such as ["10", "50"]')
const assumptionSchemas = {
  question: text('a question, such as "How much may one ask for?"'),
  values: z
    .array(z.string(expectingValues), expectingValues)
    .check(z.minLength(1, expectingValues)),
}

/** The other members of a plug-in: all that options may add, but for plug-ins and plans. */
const { plugins: _, plans: __, ...memberSchemas } = additionSchemas

const pluginSchemas: SchemasOf<PluginOptions> = {
  name: text('a name, such as "our-shop"', (value) => /^[\w@/.-]+$/.test(value)),
  areas: list(
    'a list of areas, such as [{ name: "sensors" }]',
    withRequired(areaSchemas, ['name']),
  ),
  ...memberSchemas,
  events: schemasByEvent,
  scenarios: object('an object of scenarios by name'),
  fixtures: recordsOption,
  hooks: hooksSchema,
  assumptions: z.record(
    anyText,
    withRequired(assumptionSchemas, ['question', 'values']),
    expecting(
      'an object of assumptions by id, such as { "plants.water.amount": { question: "…", values: ["10"] } }',
    ),
  ),
}

/**
 * Defines an operation of your own. It gets what the built-in ones have: keys, quota, scopes,
 * checked input, scenarios, journal, document, over every adapter.
 * @example
 * const waterPlant = defineOperation({
 *   id: 'plants.water',
 *   method: 'POST',
 *   path: '/plants/{id}/water',
 *   scope: 'plants:water',
 *   body: z.object({ liters: z.number() }),
 *   handle({ params, body, records, error }) {
 *     const plant = records.plants.get(Number(params.id))
 *     if (!plant) throw error(404, `There is no plant ${params.id}.`)
 *     return { name: plant.name, liters: body.liters }
 *   },
 * })
 * @throws TypeError, RangeError for options that are wrong.
 */
export function defineOperation<
  const Path extends string,
  Params extends OwnSchema | undefined = undefined,
  Query extends OwnSchema | undefined = undefined,
  Body extends OwnSchema | undefined = undefined,
>(options: OperationOptions<Path, Params, Query, Body>): OwnOperation {
  return withCallerStack(defineOperation, () => {
    rejectSecondArgument(
      'defineOperation',
      arguments,
      'Define each operation by a call of its own.',
    )
    const required =
      isObject(options) && options.overrides !== undefined
        ? ['handle']
        : ['id', 'handle', 'method', 'path']
    checkArgument('defineOperation', '', options, withRequired(operationSchemas, required))
    const { id, method, path, area, overrides } = options
    const placement = [id, method, path, area]
    if (overrides !== undefined && placement.some((option) => option !== undefined))
      throw codedError(
        'GREENHOUSE_INVALID_DEFINITION',
        `Failed to call defineOperation(): an operation that overrides ${quote(overrides)} has its id, method, path and area.`,
      )
    return {
      part: 'operation',
      id: (id ?? overrides)!,
      options,
      toArea,
    }
  })
}

/**
 * Defines a collection of your own: with fixtures, snapshots, and a place in `world.records` and
 * the panel.
 * @example const waterings = defineCollection({ name: 'waterings', schema: z.object({ id: z.string(), plant: z.int(), account: z.string() }) })
 * @throws TypeError, RangeError for options that are wrong.
 */
export function defineCollection<Schema extends OwnSchema, const Name extends string>(
  options: CollectionOptions<Schema, Name>,
): OwnCollection<ValueOf<Schema> & object, Name> {
  return withCallerStack(defineCollection, () => {
    rejectSecondArgument(
      'defineCollection',
      arguments,
      'Define each collection by a call of its own.',
    )
    checkArgument(
      'defineCollection',
      '',
      options,
      withRequired(collectionSchemas, ['name', 'schema']),
    )
    return {
      part: 'collection',
      name: options.name,
      options,
      toArea,
    }
  })
}

/**
 * Defines a plug-in: operations, collections, events, scenarios, fixtures and assumptions that
 * belong together.
 * @example export const ourShop = () => definePlugin({ name: 'our-shop', operations: [waterPlant], collections: [waterings] })
 * @throws TypeError, RangeError for options that are wrong.
 */
export function definePlugin<
  Scenarios extends WrittenScenarios = {},
  Collections extends readonly OwnCollection[] = [],
>(
  options: PluginOptions & Omit<NamingOptions<Scenarios, Collections, never>, 'plugins'>,
): Plugin<NamesOf<Scenarios, Collections, []>> {
  return withCallerStack(definePlugin, () => {
    rejectSecondArgument('definePlugin', arguments, 'Put all members into one object.')
    checkArgument('definePlugin', '', options, withRequired(pluginSchemas, ['name']))
    return {
      part: 'plugin',
      name: options.name,
      options,
      toArea,
    }
  })
}
