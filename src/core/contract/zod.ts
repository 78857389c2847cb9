import * as z from 'zod/mini'

export function described<Schema extends z.ZodMiniType>(
  schema: Schema,
  description: string,
): Schema {
  return schema.check(z.describe(description))
}

export function optional<Schema extends z.ZodMiniType>(
  schema: Schema,
  description: string,
): z.ZodMiniOptional<Schema> {
  return described(z.optional(schema), description)
}
