import * as z from 'zod/mini'
import { appErrorSchema, toErrorReply, toRejectionReply, toStatus } from '../areas/apps/errors.ts'
import { eventTypes } from '../areas/event-types.ts'
import { type Key, keys, planNames, scopes } from '../core/accounts/accounts.ts'
import type { Assumptions } from '../core/contract/assumptions.ts'
import { describeProblem, isSlip, quote, suggest } from '../core/text/messages.ts'
import { coreAssumptions } from '../core/pipeline/assumptions.ts'
import type { Area, Operation } from '../core/pipeline/operation.ts'
import type { CollectionDefinition, RecordKey } from '../core/store/collection.ts'
import type { InitialRecords } from '../fixtures/part.ts'
import { type AreaPart, type Catalogue, makeCatalogue } from '../api/assembly/make-catalogue.ts'
import {
  type Additions,
  joinHooks,
  type OwnArea,
  type OwnCollection,
  type OwnOperation,
  type PluginOptions,
} from './definitions.ts'
import { createOpener, withPlans } from './open-names.ts'
import { toParts, toZod } from './schema.ts'
import { toOperation } from './to-operation.ts'

export function extendCatalogue(parts: readonly AreaPart[], additions: Additions): Catalogue {
  const { operations = [], collections = [], plugins = [], hooks } = additions
  assertUnique('the plug-in', plugins)
  const all: readonly Members[] = [
    { operations, collections, ...(hooks && { hooks }) },
    ...plugins.map(({ options }) => options),
  ]
  let catalogue: Catalogue | undefined
  const custom = all.flatMap((members) => members.operations ?? [])
  const events = toEvents(all, custom)
  const scopesInUse = new Set(custom.flatMap(({ options }) => options.scope ?? []).filter((scope) => scope !== 'any'))
  const allScopes = [...new Set([...scopes, ...scopesInUse])]
  const opener = createOpener([
    { known: scopes, all: allScopes },
    { known: eventTypes, all: [...eventTypes, ...Object.keys(events)] },
  ])
  const added = all.flatMap(({ areas = [] }) => areas).map(createCustomArea)
  const extended = withOperations(parts, added, custom, events, () => catalogue!).map((part): AreaPart => ({
    ...part,
    // The area that delivers events describes them.
    ...(part.deliveries && { area: { ...part.area, eventSchemas: { ...part.area.eventSchemas, ...events } } }),
  }))
  catalogue = makeCatalogue(extended.map(opener.part), {
    collections: { keys: opener.collection(keys as never), ...toCollections(parts, all) },
    assumptions: toAssumptions(parts, all),
    scopes: allScopes,
    plans: planNames,
    eventTypes: Object.keys(events),
    open: opener.open,
    scenarios: Object.assign({}, ...all.map(({ scenarios }) => scenarios)),
    hooks: joinHooks(all.flatMap((members) => members.hooks ?? [])),
    check: (initialRecords) => assertScopesHeld(catalogue!, initialRecords),
    fixtures: all.flatMap(({ name, fixtures: data }) => (data ? [{ file: `the plug-in ${name}`, data }] : [])),
  })
  const fixtures = catalogue.custom.fixtures.map(({ data }) => data)
  return (catalogue = withPlans(catalogue, fixtures))
}

type Members = Partial<PluginOptions>

function withOperations(
  builtInParts: readonly AreaPart[],
  added: readonly AreaPart[],
  custom: readonly OwnOperation[],
  events: Readonly<Record<string, z.ZodMiniType>>,
  catalogue: () => Catalogue,
): AreaPart[] {
  const parts = [...builtInParts, ...added]
  const builtIn = builtInParts.flatMap(({ area }) => area.operations)
  assertUnique('the area', parts)
  assertUnique(
    'the operation',
    [...builtIn, ...custom.filter(({ options }) => options.overrides === undefined)].map(({ id }) => id),
  )
  assertUnique(
    'the override of',
    custom.flatMap(({ options }) => options.overrides ?? []),
  )
  assertBasesFree(builtInParts, added)
  const areas = new Map(parts.map((part) => [part.name, [...part.area.operations] as Operation[]]))
  for (const operation of custom) {
    const { overrides } = operation.options
    const overridden = overrides === undefined ? undefined : builtIn.find(({ id }) => id === overrides)
    if (overrides !== undefined && !overridden)
      throw new RangeError(
        `Failed to override the operation ${quote(overrides)}: ${describeProblem(
          'such operation',
          overrides,
          builtIn.map(({ id }) => id),
        )}`,
      )
    const home = overridden
      ? [...areas.values()].find((operations) => operations.includes(overridden))!
      : homeOf(operation, areas)
    const converted = toOperation(operation, {
      catalogue,
      overridden,
      events: [...Object.keys(operation.options.emits ?? {}), ...eventTypes],
      dataOf: events,
    })
    if (overridden) home[home.indexOf(overridden)] = converted
    else {
      assertFree(converted, home)
      assertNotHidden(converted, home, parts, areas)
      home.push(converted)
    }
  }
  return parts.map((part) => ({ ...part, area: { ...part.area, operations: areas.get(part.name)! } as Area }))
}

function homeOf({ id, options }: OwnOperation, areas: ReadonlyMap<string, Operation[]>): Operation[] {
  const name = options.area ?? id.split('.')[0]!
  const home = areas.get(name)
  if (home) return home
  const known = [...areas.keys()]
  throw new RangeError(
    `Failed to add the operation ${quote(id)}: there is no area ${quote(name)}, only ${known.join(', ')}.${suggest(name, known)} Name one with "area", or add one with definePlugin({ areas: [{ name: ${quote(name)} }] }).`,
  )
}

function toEvents(all: readonly Members[], custom: readonly OwnOperation[]): Record<string, z.ZodMiniType> {
  const declared = [
    ...custom.flatMap(({ options }) => Object.entries(options.emits ?? {})),
    ...all.flatMap(({ events = {} }) => Object.entries(events)),
  ]
  const found: Record<string, z.ZodMiniType> = {}
  for (const [type, schema] of declared) {
    if (!/^[a-z][\w-]*(\.[a-z][\w-]*)+$/i.test(type))
      throw new TypeError(`Failed to add the event ${quote(type)}: its name must look like "plant.watered".`)
    if ((eventTypes as readonly string[]).includes(type))
      throw new TypeError(`Failed to add the event ${quote(type)}: Greenhouse has an event of this name.`)
    found[type] ??= toZod(schema, `The data of the event ${quote(type)}`)
  }
  return found
}

function toCollections(
  parts: readonly AreaPart[],
  all: readonly Members[],
): Record<string, CollectionDefinition<never>> {
  const custom = all.flatMap(({ collections = [] }) => collections)
  const names = parts.flatMap(({ collections }) => Object.keys(collections))
  const known = ['accounts', 'keys', ...names, 'plans', ...custom.map(({ name }) => name)]
  assertUnique('the collection', known)
  return Object.fromEntries(custom.map((collection) => [collection.name, toCustomCollection(collection, known)]))
}

function toAssumptions(parts: readonly AreaPart[], all: readonly Members[]): Assumptions {
  const custom = all.flatMap(({ assumptions = {} }) => Object.entries(assumptions))
  const known = [...parts.flatMap(({ area }) => Object.keys(area.assumptions)), ...Object.keys(coreAssumptions)]
  assertUnique('the assumption', [...known, ...custom.map(([id]) => id)])
  return Object.fromEntries(custom.map(([id, assumption]) => [id, { ...assumption, source: 'ours' as const }]))
}

/** @throws RangeError for an operation whose scope no key has, or is a slip that no key names. */
function assertScopesHeld({ contract, definitions }: Catalogue, initialRecords: InitialRecords): void {
  if (contract.scopes.length === scopes.length) return
  const held = initialRecords.of<Key>(definitions['keys'] as never).all()
  for (const { id, scope } of contract.operations) {
    if (scope === 'any' || scopes.includes(scope)) continue
    if (held.some((key) => key.scopes?.includes(scope))) continue
    if (held.some((key) => !key.scopes) && !scopes.some((known) => isSlip(scope, known))) continue
    const near = [...scopes, ...held.flatMap((key) => key.scopes ?? [])]
    throw new RangeError(
      `Failed to add the operation ${quote(id)}: no key names its scope ${quote(scope)}.${suggest(scope, near)} Give it to a key of the fixtures.`,
    )
  }
}

function assertUnique(what: string, all: readonly (string | { readonly name: string })[]): void {
  const names = all.map((one) => (typeof one === 'string' ? one : one.name))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new TypeError(`Failed to add ${what} ${quote(twice)}: there are two of this name.`)
}

function assertBasesFree(builtIn: readonly AreaPart[], own: readonly AreaPart[]): void {
  assertUnique(
    'the base path',
    own.map(({ area }) => area.base),
  )
  for (const { name, area } of own)
    for (const { area: other } of builtIn)
      for (const { id, path } of other.operations)
        if (`${other.base}${path}/`.startsWith(`${area.base}/`))
          throw new TypeError(`Failed to add the area ${quote(name)}: its base path ${area.base} hides ${quote(id)}.`)
}

function assertNotHidden(
  { id, path }: Operation,
  home: readonly Operation[],
  parts: readonly AreaPart[],
  areas: ReadonlyMap<string, readonly Operation[]>,
): void {
  const baseOf = (name: string) => parts.find((part) => part.name === name)!.area.base
  const own = baseOf([...areas].find(([, operations]) => operations === home)![0])
  const other = parts.find(
    ({ area }) => area.base !== own && area.base !== '' && `${own}${path}/`.startsWith(`${area.base}/`),
  )
  if (other)
    throw new TypeError(
      `Failed to add the operation ${quote(id)}: its path ${path} is below ${other.area.base}, the base of the area ${quote(other.name)}. Name that area with "area".`,
    )
}

function assertFree({ id, method, path }: Operation, others: readonly Operation[]): void {
  const shapeOf = (of: string) => of.replaceAll(/\{\w+\}/g, '{}')
  const taken = others.find((one) => one.method === method && shapeOf(one.path) === shapeOf(path))
  if (taken)
    throw new TypeError(
      `Failed to add the operation ${quote(id)}: ${quote(taken.id)} has ${method} ${taken.path} already. To replace it, set "overrides".`,
    )
}

function createCustomArea({ name, base = `/${name}`, title = name, version = '1' }: OwnArea): AreaPart {
  return {
    name,
    area: {
      name,
      title,
      version,
      base,
      operations: [],
      assumptions: {},
      schemas: { Error: appErrorSchema },
      eventSchemas: {},
      errorSchema: appErrorSchema,
      rejectsUnknownFields: () => false,
      idSchema: { type: 'string', minLength: 1 },
      toStatus,
      hasIdempotencyKeys: true,
      check: () => undefined,
      isRateLimited: () => true,
      hasRequestId: (exchange) => exchange.assume(coreAssumptions, 'errors.request-id-header') === 'sent',
      toErrorReply,
      toRejectionReply,
    },
    collections: {},
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Makes the schema of an object refuse unknown fields, which Zod would remove, unless the schema says what they are. */
function toStrict(schema: z.ZodMiniType): z.ZodMiniType {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  return def.type === 'object' && def.catchall === undefined
    ? (z.core.clone(schema as never, { ...def, catchall: z.never() } as never) as z.ZodMiniType)
    : schema
}

function toCustomCollection({ name, options }: OwnCollection, known: readonly string[]): CollectionDefinition<never> {
  const { schema: given, key = 'id', refers = {} } = options
  const what = `The schema of the collection ${quote(name)}`
  const schema = toStrict(toZod(given, what))
  const fields = Object.keys(toParts(schema, what, 'input').properties ?? {})
  for (const field of [key, ...Object.keys(refers)])
    if (!fields.includes(field))
      throw new RangeError(
        `Failed to add the collection ${quote(name)}: its schema has no field ${quote(field)}.${suggest(field, fields)}`,
      )
  for (const target of Object.values(refers))
    if (!known.includes(target))
      throw new RangeError(
        `Failed to add the collection ${quote(name)}: it refers to ${quote(target)}, which is no collection.${suggest(target, known)}`,
      )
  const definition: CollectionDefinition<Fields> = {
    name,
    isOwn: true,
    schema: schema as never,
    key: (record) => record[key] as RecordKey,
    ...(fields.includes('account') && {
      owner: ({ account }: Fields) => (typeof account === 'string' ? account : undefined),
    }),
    refers,
  }
  return definition as unknown as CollectionDefinition<never>
}
