import * as z from 'zod/mini'
import { quote } from '../../core/definitions/quote.ts'
import { suggest } from '../../core/definitions/suggest.ts'
import type { CollectionDefinition, RecordKey } from '../../core/store/collection.ts'
import type { OwnCollection } from './definitions.ts'
import { toParts, toZod } from './schema.ts'

type Fields = Readonly<Record<string, unknown>>

/** Makes the schema of an object refuse unknown fields, which Zod would remove, unless the schema says what they are. */
function toStrict(schema: z.ZodMiniType): z.ZodMiniType {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  return def.type === 'object' && def.catchall === undefined
    ? (z.core.clone(schema as never, { ...def, catchall: z.never() } as never) as z.ZodMiniType)
    : schema
}

export function toOwnCollection(
  { name, options }: OwnCollection,
  known: readonly string[],
): CollectionDefinition<never> {
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
