import type * as z from 'zod/mini'
import { clone } from 'zod/v4/core'
import { eventTypes } from '../areas/event-types.ts'
import { planNames, scopes } from '../core/accounts/accounts.ts'
import type { Area } from '../core/pipeline/area.ts'
import { mapFields } from '../core/text/values.ts'
import type { AnyCollection } from '../core/store/collection.ts'
import type { AreaData, Catalogue } from '../catalogue/fold-areas.ts'

// The bundled schemas list plans, scopes and events as enums. Fixtures and definitions of users add
// names, so their catalogue gets copies of these schemas with longer lists.

/**
 * Returns an area with the plans of fixtures, which schemas and scenarios then may name; none
 * without new ones.
 */
export function findPlans(fixtures: readonly GivenData[], known: Catalogue): AreaData[] {
  const plans = fixtures.flatMap(namesOfPlans).filter((name) => !known.plans.includes(name))
  if (plans.length === 0) return []
  return [{ plans, lengthenLists: openNames }]
}

interface GivenData {
  readonly data: unknown
}

function namesOfPlans({ data }: GivenData): string[] {
  const records: unknown = (data as { plans?: unknown } | null | undefined)?.plans
  if (!Array.isArray(records)) return []
  return records
    .map((record: unknown) => (record as { id?: unknown } | null | undefined)?.id)
    .filter(isPlanName)
}

/** Returns whether a plan of fixtures may have this id. */
function isPlanName(id: unknown): id is string {
  return typeof id === 'string' && /^[a-z][\w-]{0,49}$/i.test(id) && id !== 'any'
}

/** Returns a catalogue whose schemas list all its names where they listed the built-in ones. */
export function openNames(catalogue: Catalogue): Catalogue {
  const { scopes: allScopes, eventTypes: allEvents, plans } = catalogue
  const lists: NameList[] = [
    { known: scopes, all: allScopes },
    { known: eventTypes, all: allEvents },
    { known: planNames, all: plans },
    { known: ['any', ...planNames], all: ['any', ...plans] },
  ]
  const longer = lists.filter(({ known, all }) => all.length > known.length)
  if (longer.length === 0) return catalogue
  const open = openLists(longer)
  const openAll = (schemas: Area['schemas']) => mapFields(schemas, (schema) => open(schema))
  const areas = catalogue.areas.map((area) => ({
    ...area,
    operations: area.operations.map((operation) => ({
      ...operation,
      ...(operation.body && { body: open(operation.body) }),
      ...(operation.result && { result: open(operation.result) }),
    })),
    schemas: openAll(area.schemas),
    eventSchemas: openAll(area.eventSchemas),
  }))
  const collections = catalogue.collections.map((definition) => openCollection(definition, open))
  return {
    ...catalogue,
    areas,
    operations: areas.flatMap(({ operations }) => operations),
    collections,
    definitions: Object.fromEntries(collections.map((definition) => [definition.name, definition])),
    open,
  }
}

interface NameList {
  readonly known: readonly string[]
  readonly all: readonly string[]
}

function openCollection(definition: AnyCollection, open: Catalogue['open']): AnyCollection {
  const schema = open(definition.schema)
  if (schema === definition.schema) return definition
  return {
    ...definition,
    isOwn: true,
    schema,
  }
}

type SchemaNode = z.core.$ZodTypes

function findLonger(values: readonly unknown[], lists: readonly NameList[]): NameList | undefined {
  return lists.find(
    ({ known }) => known.length === values.length && known.every((name) => values.includes(name)),
  )
}

function openLists(lists: readonly NameList[]): Catalogue['open'] {
  const opened = new Map<unknown, z.core.$ZodType>()

  function open<T extends z.core.$ZodType>(schema: T): T {
    if (!opened.has(schema._zod)) {
      // A schema that contains itself stays as it is within itself.
      opened.set(schema._zod, schema)
      opened.set(schema._zod, reopen(schema as unknown as SchemaNode))
    }
    return opened.get(schema._zod) as T
  }

  function reopen(schema: SchemaNode): z.core.$ZodType {
    const { def } = schema._zod
    switch (def.type) {
      case 'enum': {
        const longer = findLonger(Object.values(def.entries), lists)
        if (!longer) return schema
        const entries = Object.fromEntries(longer.all.map((name) => [name, name]))
        return clone(schema, { ...def, entries })
      }
      case 'array': {
        const element = open(def.element)
        if (element === def.element) return schema
        return clone(schema, { ...def, element })
      }
      case 'object': {
        const shape = mapFields(def.shape, (part) => open(part))
        if (Object.entries(def.shape).every(([name, part]) => shape[name] === part)) return schema
        return clone(schema, { ...def, shape })
      }
      case 'optional':
      case 'nullable': {
        const innerType = open(def.innerType)
        if (innerType === def.innerType) return schema
        return clone(schema, { ...def, innerType })
      }
      default:
        return schema
    }
  }

  return open
}
