import type * as z from 'zod/mini'
import { clone } from 'zod/v4/core'
import type { Area } from '../core/pipeline/operation.ts'
import type { AnyCollection } from '../core/store/collection.ts'
import { type Catalogue, changeCatalogue } from '../api/assembly/make-catalogue.ts'

// The bundled schemas list plans, scopes and operations as enums. Fixtures and definitions of users add names, so their catalogue gets
// copies of these schemas with longer lists.

/** The plans of fixtures, which schemas and scenarios then may name. */
export function withPlans(catalogue: Catalogue, fixtures: readonly unknown[]): Catalogue {
  const known = catalogue.plans
  const all = [...new Set([...known, ...fixtures.flatMap(namesOfPlans)])]
  if (all.length === known.length) return catalogue
  return withNames({ ...catalogue, plans: all }, [
    { known, all },
    { known: ['any', ...known], all: ['any', ...all] },
  ])
}

function namesOfPlans(fixtures: unknown): string[] {
  const records: unknown = (fixtures as { plans?: unknown } | null | undefined)?.plans
  if (!Array.isArray(records)) return []
  return records
    .map((record: unknown) => (record as { id?: unknown } | null | undefined)?.id)
    .filter((id) => typeof id === 'string' && /^[a-z][\w-]{0,49}$/i.test(id) && id !== 'any') as string[]
}

interface NameList {
  readonly known: readonly string[]
  readonly all: readonly string[]
}

/** Returns a catalogue whose schemas list all names where they listed the known ones. */
export function withNames(catalogue: Catalogue, lists: readonly NameList[]): Catalogue {
  const longer = lists.filter(({ known, all }) => all.length > known.length)
  if (longer.length === 0) return catalogue
  const open = createOpener(longer)
  const openAll = <T extends Area['schemas']>(schemas: T) =>
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, open(schema)]))
  return changeCatalogue(catalogue, {
    areas: catalogue.areas.map((area) => ({
      ...area,
      operations: area.operations.map((operation) => ({
        ...operation,
        ...(operation.body && { body: open(operation.body) }),
        ...(operation.result && { result: open(operation.result) }),
      })),
      schemas: openAll(area.schemas),
      eventSchemas: openAll(area.eventSchemas),
    })),
    definitions: Object.fromEntries(
      Object.entries(catalogue.definitions).map(([name, definition]) => [name, openCollection(definition, open)]),
    ),
    open: (schema) => open(catalogue.open(schema)),
  })
}

function openCollection(definition: AnyCollection, open: Catalogue['open']): AnyCollection {
  const schema = open(definition.schema)
  return schema === definition.schema ? definition : { ...definition, isOwn: true, schema }
}

type Schema = z.core.$ZodTypes

function createOpener(lists: readonly NameList[]): Catalogue['open'] {
  const opened = new Map<unknown, z.core.$ZodType>()

  function open<T extends z.core.$ZodType>(schema: T): T {
    if (!opened.has(schema._zod)) {
      // A schema that contains itself stays as it is within itself.
      opened.set(schema._zod, schema)
      opened.set(schema._zod, reopen(schema as unknown as Schema))
    }
    return opened.get(schema._zod) as T
  }

  function reopen(schema: Schema): z.core.$ZodType {
    const { def } = schema._zod
    switch (def.type) {
      case 'enum': {
        const values = Object.values(def.entries)
        const list = lists.find(
          ({ known }) => known.length === values.length && known.every((name) => values.includes(name)),
        )
        return list
          ? clone(schema, { ...def, entries: Object.fromEntries(list.all.map((name) => [name, name])) })
          : schema
      }
      case 'array': {
        const element = open(def.element)
        return element === def.element ? schema : clone(schema, { ...def, element })
      }
      case 'object': {
        const shape = Object.fromEntries(Object.entries(def.shape).map(([name, part]) => [name, open(part)]))
        const isSame = Object.entries(def.shape).every(([name, part]) => shape[name] === part)
        return isSame ? schema : clone(schema, { ...def, shape })
      }
      case 'optional':
      case 'nullable': {
        const innerType = open(def.innerType)
        return innerType === def.innerType ? schema : clone(schema, { ...def, innerType })
      }
      default:
        return schema
    }
  }

  return open
}
