import { codedError, type GreenhouseErrorCode } from '../core/text/error-codes.ts'
import * as z from 'zod/mini'
import { appErrorSchema, sharedRules } from '../areas/apps/errors.ts'
import { eventTypes } from '../areas/event-types.ts'
import { type Key, scopes } from '../core/accounts/accounts.ts'
import type { Assumptions } from '../core/contract/assumptions.ts'
import { describeProblem, isSlip, quote, suggest } from '../core/text/messages.ts'
import type { Area } from '../core/pipeline/area.ts'
import type { Operation } from '../core/pipeline/operation.ts'
import type { AnyCollection, CollectionDefinition, RecordKey } from '../core/store/collection.ts'
import type { InitialRecords } from '../fixtures/initial-records.ts'
import type { AreaData, Catalogue } from '../catalogue/fold-areas.ts'
import type {
  Additions,
  OwnArea,
  OwnCollection,
  OwnOperation,
  PluginOptions,
} from './definitions.ts'
import { joinHooks } from './hooks.ts'
import { openNames, findPlans } from './open-names.ts'
import { toJsonSchemaOf, toZod } from './schema.ts'
import type { HandlerServices } from './handler-context.ts'
import { toOperation } from './to-operation.ts'
import type { Fields } from '../core/text/values.ts'

/**
 * Turns what a user adds into one more part of a catalogue. @param known the catalogue that it is
 * added to
 */
export function toArea(additions: Additions, known: Catalogue): AreaData {
  const { operations, collections, plugins = [], hooks } = additions
  assertUnique('plug-in', plugins)
  const members: readonly PluginMembers[] = [
    { operations, collections, hooks },
    ...plugins.map(({ options }) => options),
  ]
  const custom = members.flatMap((each) => each.operations ?? [])
  const added = {
    events: collectEvents(members, custom),
    collections: toCollections(known, members),
    assumptions: collectAssumptions(known, members),
  }
  const fixtures = members.flatMap(({ name, fixtures: data }) => {
    if (data) return [{ file: `the plug-in ${name}`, data }]
    return []
  })
  return {
    ...added,
    areas: addOperations(
      known,
      members.flatMap(({ areas = [] }) => areas).map(createCustomArea),
      custom,
      {
        assumptions: known.assumptionRegistry.with(added.assumptions),
        events: added.events,
      },
    ),
    scopes: custom.flatMap(({ options: { scope = 'any' } }) => (scope === 'any' ? [] : scope)),
    scenarios: Object.assign({}, ...members.map(({ scenarios }) => scenarios)),
    hooks: joinHooks(members.flatMap((each) => each.hooks ?? [])),
    check: assertScopesHeld,
    fixtures,
    lengthenLists: openNames,
    ...findPlans(fixtures, known)[0],
  }
}

/** What a plug-in has. What options have themselves is taken for a plug-in without a name. */
type PluginMembers = Partial<PluginOptions>

/**
 * Returns all areas with the operations of users in them. @param added the areas of users, still
 * without operations
 */
function addOperations(
  { areas: known, operations: builtIn }: Catalogue,
  added: readonly Area[],
  custom: readonly OwnOperation[],
  services: HandlerServices,
): readonly Area[] {
  let areas = [...known, ...added]
  assertUnique('area', areas)
  assertUnique('operation', [
    ...builtIn.map(({ id }) => id),
    ...custom.flatMap(({ id, options }) => (options.overrides === undefined ? id : [])),
  ])
  assertUnique(
    'override of',
    custom.flatMap(({ options }) => options.overrides ?? []),
  )
  assertBasesFree(known, added)
  for (const operation of custom) {
    const overridden = findOverridden(operation, builtIn)
    const home = areaOf(operation, overridden, areas)
    const converted = toOperation(operation, overridden, services)
    if (!overridden) assertPathFree(converted, home, areas)
    const operations = overridden
      ? home.operations.map((present) => (present === overridden ? converted : present))
      : [...home.operations, converted]
    areas = areas.map((area) => {
      if (area === home) return { ...area, operations }
      return area
    })
  }
  return areas
}

function findOverridden({ options: { overrides } }: OwnOperation, builtIn: readonly Operation[]) {
  if (overrides === undefined) return undefined
  const overridden = builtIn.find(({ id }) => id === overrides)
  if (overridden) return overridden
  const ids = builtIn.map(({ id }) => id)
  throw codedError(
    'GREENHOUSE_UNKNOWN_NAME',
    `Failed to override the operation ${quote(overrides)}: ${describeProblem('there is no such operation', overrides, ids)}`,
  )
}

/** Returns the area that an operation of a user belongs to. */
function areaOf(
  { id, options }: OwnOperation,
  overridden: Operation | undefined,
  areas: readonly Area[],
): Area {
  const name = options.area ?? id.replace(/\..*/, '')
  const found = areas.find((area) => {
    if (overridden) return area.operations.includes(overridden)
    return area.name === name
  })
  if (found) return found
  const known = areas.map((area) => area.name)
  cannotAdd(
    'operation',
    id,
    `there is no area ${quote(name)}, only ${known.join(', ')}.${suggest(name, known)} Name one with "area", or add it with "areas" of definePlugin().`,
    'GREENHOUSE_UNKNOWN_NAME',
  )
}

/** Returns whether an id has the form `<resource>.<verb>`. */
export function isDottedName(id: string): boolean {
  return /^[a-z][\w-]*(\.[a-z][\w-]*)+$/i.test(id)
}

/** Returns the schemas of the events that operations and plug-ins declare, by type. */
function collectEvents(
  members: readonly PluginMembers[],
  custom: readonly OwnOperation[],
): Record<string, z.ZodMiniType> {
  const declared = [
    ...custom.map(({ options }) => options.emits),
    ...members.map(({ events }) => events),
  ]
  const schemas: Record<string, z.ZodMiniType> = {}
  for (const [type, schema] of declared.flatMap((events) => Object.entries(events ?? {}))) {
    if (!isDottedName(type)) cannotAdd('event', type, 'its name must look like "plant.watered".')
    if ((eventTypes as readonly string[]).includes(type))
      cannotAdd('event', type, 'Greenhouse has an event of this name.')
    schemas[type] ??= toZod(schema, `The data of the event ${quote(type)}`)
  }
  return schemas
}

function toCollections(
  { definitions }: Catalogue,
  members: readonly PluginMembers[],
): Catalogue['definitions'] {
  const custom = members.flatMap(({ collections = [] }) => collections)
  const known = [...Object.keys(definitions), ...custom.map(({ name }) => name)]
  assertUnique('collection', known)
  return Object.fromEntries(
    custom.map((collection) => [collection.name, toCustomCollection(collection, known)]),
  )
}

function collectAssumptions(
  { assumptionRegistry }: Catalogue,
  members: readonly PluginMembers[],
): Assumptions {
  const custom = members.flatMap(({ assumptions = {} }) => Object.entries(assumptions))
  assertUnique(
    'assumption',
    [...assumptionRegistry.list(), ...custom.map(([id]) => ({ id }))].map(({ id }) => id),
  )
  return Object.fromEntries(
    custom.map(([id, assumption]) => [id, { ...assumption, source: 'ours' as const }]),
  )
}

/**
 * Asserts that some key may call each operation of users. A key without a list of scopes has all,
 * so a scope that no list names is accepted then, unless it looks like a misspelt built-in one.
 * @throws RangeError
 */
function assertScopesHeld(catalogue: Catalogue, initialRecords: InitialRecords) {
  if (catalogue.scopes.length === scopes.length) return
  const keys = initialRecords.of<Key>(catalogue.definitions['keys'] as never).all()
  for (const { id, scope } of catalogue.operations) {
    if (scope === 'any' || scopes.includes(scope)) continue
    if (keys.some((key) => key.scopes?.includes(scope))) continue
    if (keys.some((key) => !key.scopes) && !scopes.some((known) => isSlip(scope, known))) continue
    const candidates = [...scopes, ...keys.flatMap((key) => key.scopes ?? [])]
    cannotAdd(
      'operation',
      id,
      `no key names its scope ${quote(scope)}.${suggest(scope, candidates)} Give it to a key of the fixtures.`,
      'GREENHOUSE_UNKNOWN_NAME',
    )
  }
}

function assertUnique(what: string, named: readonly (string | { readonly name: string })[]) {
  const names = named.map((item) => (typeof item === 'string' ? item : item.name))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) cannotAdd(what, twice, 'there are two of this name.')
}

function cannotAdd(
  what: string,
  name: string,
  why: string,
  code: GreenhouseErrorCode = 'GREENHOUSE_INVALID_DEFINITION',
): never {
  throw codedError(code, `Failed to add the ${what} ${quote(name)}: ${why}`)
}

/** Asserts that no built-in path is below the base of an added area. */
function assertBasesFree(builtIn: readonly Area[], added: readonly Area[]) {
  assertUnique(
    'base path',
    added.map(({ base }) => base),
  )
  for (const { name, base } of added)
    for (const other of builtIn)
      for (const { id, path } of other.operations)
        if (`${other.base}${path}/`.startsWith(`${base}/`))
          cannotAdd('area', name, `its base path ${base} hides ${quote(id)}.`)
}

/**
 * Asserts that requests to the path of a new operation reach it: no operation of its area has the
 * same path but for the names of parameters, and no other area begins there.
 */
function assertPathFree(
  { id, method, path }: Operation,
  { base, operations }: Area,
  areas: readonly Area[],
) {
  const shapeOf = (template: string) => template.replaceAll(/\{\w+\}/g, '{}')
  const taken = operations.find(
    (present) => present.method === method && shapeOf(present.path) === shapeOf(path),
  )
  if (taken)
    cannotAdd(
      'operation',
      id,
      `${quote(taken.id)} has ${method} ${taken.path} already. To replace it, set "overrides".`,
    )
  const hiding = areas.find(
    (other) =>
      other.base !== base && other.base !== '' && `${base}${path}/`.startsWith(`${other.base}/`),
  )
  if (hiding)
    cannotAdd(
      'operation',
      id,
      `its path ${path} is below ${hiding.base}, the base of the area ${quote(hiding.name)}. Name that area with "area".`,
    )
}

function createCustomArea({ name, base = `/${name}`, title = name, version = '1' }: OwnArea): Area {
  return {
    ...sharedRules,
    name,
    title,
    version,
    base,
    operations: [],
    collections: {},
    assumptions: {},
    schemas: { Error: appErrorSchema },
    eventSchemas: {},
    rejectsUnknownFields: () => false,
    rejectsUnknownQuery: () => false,
  }
}

/**
 * Makes the schema of an object refuse unknown fields, which Zod would remove, unless the schema
 * says what they are.
 */
function toStrict(schema: z.ZodMiniType): z.ZodMiniType {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  if (def.type === 'object' && def.catchall === undefined)
    return z.core.clone(schema, {
      ...def,
      catchall: z.never(),
    } as typeof schema._zod.def)
  return schema
}

function toCustomCollection(
  { name, options }: OwnCollection,
  collections: readonly string[],
): AnyCollection {
  const { schema: given, key = 'id', refers = {} } = options
  const owner = `The schema of the collection ${quote(name)}`
  const schema = toStrict(toZod(given, owner))
  const fields = Object.keys(toJsonSchemaOf(schema, owner, 'input').properties ?? {})
  for (const field of [key, ...Object.keys(refers)])
    if (!fields.includes(field))
      cannotAdd(
        'collection',
        name,
        describeProblem(`its schema has no field ${quote(field)}`, field, fields),
        'GREENHOUSE_UNKNOWN_NAME',
      )
  for (const target of Object.values(refers))
    if (!collections.includes(target))
      cannotAdd(
        'collection',
        name,
        describeProblem(`there is no collection ${quote(target)}`, target, collections),
        'GREENHOUSE_UNKNOWN_NAME',
      )
  const definition: CollectionDefinition<Fields> = {
    name,
    isOwn: true,
    schema: schema as z.ZodMiniType<Fields>,
    key: (record) => record[key] as RecordKey,
    // A record with the field `account` belongs to that account.
    ...(fields.includes('account') && {
      owner: ({ account }: Fields) => {
        if (typeof account === 'string') return account
        return undefined
      },
    }),
    refers,
  }
  return definition
}
