import type * as z from 'zod/mini'
import { clone } from 'zod/v4/core'
import { accounts, plans } from '../core/accounts/accounts.ts'
import type { Operation } from '../core/pipeline/operation.ts'
import type { CollectionDefinition } from '../core/store/collection.ts'
import { type AreaPart, type Catalogue, makeCatalogue } from '../api/assembly/make-catalogue.ts'

type Schema = z.core.$ZodTypes

export function createOpener(lists: readonly { readonly known: readonly string[]; readonly all: readonly string[] }[]) {
  const more = lists.filter(({ known, all }) => all.length > known.length)
  const opened = new Map<unknown, z.ZodMiniType>()

  function open<T extends z.core.$ZodType | undefined>(schema: T): T {
    if (!schema || more.length === 0) return schema
    let found = opened.get(schema._zod)
    if (!found) opened.set(schema._zod, (found = reopen(schema as unknown as Schema) as unknown as z.ZodMiniType))
    return found as unknown as T
  }

  function reopen(schema: Schema): z.core.$ZodType {
    const { def } = schema._zod
    switch (def.type) {
      case 'enum': {
        const values = Object.values(def.entries)
        const list = more.find(
          ({ known }) => known.length === values.length && known.every((name) => values.includes(name)),
        )
        return list
          ? clone(schema, { ...def, entries: Object.fromEntries(list.all.map((name) => [name, name])) } as never)
          : schema
      }
      case 'array': {
        const element = open(def.element)
        return element === def.element ? schema : clone(schema, { ...def, element } as never)
      }
      case 'object': {
        const shape = Object.fromEntries(Object.entries(def.shape).map(([name, part]) => [name, open(part)]))
        const isSame = Object.entries(def.shape).every(([name, part]) => shape[name] === part)
        return isSame ? schema : clone(schema, { ...def, shape } as never)
      }
      case 'optional':
      case 'nullable': {
        const innerType = open(def.innerType)
        return innerType === def.innerType ? schema : clone(schema, { ...def, innerType } as never)
      }
      default:
        return schema
    }
  }

  const openAll = <T extends Readonly<Record<string, z.ZodMiniType>> | undefined>(schemas: T): T =>
    schemas && (Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, open(schema)])) as T)

  function openOperation(operation: Operation): Operation {
    return {
      ...operation,
      ...(operation.body && { body: open(operation.body) }),
      ...(operation.result && { result: open(operation.result) }),
    }
  }

  function collection(definition: CollectionDefinition<never>): CollectionDefinition<never> {
    const { schema, fixture } = definition
    const opened = open(schema)
    if (opened === schema) return definition
    return {
      ...definition,
      isOwn: true,
      schema: opened,
      ...(fixture && { fixture: { ...fixture, schema: open(fixture.schema) } }),
    }
  }

  return {
    open,
    collection,
    part: (part: AreaPart): AreaPart => ({
      ...part,
      area: {
        ...part.area,
        operations: part.area.operations.map(openOperation),
        schemas: openAll(part.area.schemas),
        ...(part.area.eventSchemas && { eventSchemas: openAll(part.area.eventSchemas) }),
      },
      collections: Object.fromEntries(
        Object.entries(part.collections).map(([name, one]) => [name, collection(one as CollectionDefinition<never>)]),
      ),
    }),
  }
}

export function withPlans(catalogue: Catalogue, fixtures: readonly unknown[]): Catalogue {
  const { custom, parts, contract } = catalogue
  const known = contract.plans
  const all = [...new Set([...known, ...fixtures.flatMap(namesOfPlans)])]
  if (all.length === known.length) return catalogue
  const opener = createOpener([
    { known, all },
    { known: ['any', ...known], all: ['any', ...all] },
  ])
  return makeCatalogue(parts.map(opener.part), {
    ...custom,
    plans: all,
    collections: {
      ...custom.collections,
      accounts: opener.collection(accounts as never),
      plans: opener.collection(plans as never),
    },
    open: (schema) => opener.open(custom.open(schema)),
  })
}

function namesOfPlans(fixtures: unknown): string[] {
  const records: unknown = (fixtures as { plans?: unknown } | null | undefined)?.plans
  if (!Array.isArray(records)) return []
  return records
    .map((record: unknown) => (record as { id?: unknown } | null | undefined)?.id)
    .filter((id) => typeof id === 'string' && /^[a-z][\w-]{0,49}$/i.test(id) && id !== 'any') as string[]
}
