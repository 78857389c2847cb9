import type * as z from 'zod/mini'
import { valueAt } from '../../core/text/values.ts'

type Schema = z.core.$ZodType

/** Returns the schema at a path. Follows the alternative of a union that the value's discriminator selects. */
export function schemaAt(schema: Schema, value: unknown, path: readonly PropertyKey[]): Schema | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const [step, ...rest] = path
  const below = (next: Schema | undefined) => next && schemaAt(next, valueAt(value, [step!]), rest)
  switch (def.type) {
    case 'optional':
      return schemaAt(def.innerType, value, path)
    case 'union': {
      const { discriminator } = def as z.core.$ZodDiscriminatedUnionDef
      const chosen = discriminator === undefined ? undefined : valueAt(value, [discriminator])
      const option = def.options.find(
        ({ _zod }) => discriminator !== undefined && _zod.propValues?.[discriminator]?.has(chosen as string),
      )
      return option && schemaAt(option, value, path)
    }
    case 'array':
      return step === undefined ? schema : below(def.element)
    case 'record':
      return step === undefined ? schema : below(def.valueType)
    case 'object':
      return step === undefined ? schema : below(def.shape[String(step)])
    default:
      return schema
  }
}

export function schemaFieldsOf(schema: Schema | undefined): string[] {
  const def = (schema as z.core.$ZodTypes | undefined)?._zod.def
  return def?.type === 'object' ? Object.keys(def.shape) : []
}
