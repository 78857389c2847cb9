import * as z from 'zod/mini'

export const anyText = /* @__PURE__ */ z.string()
export const anyTexts = /* @__PURE__ */ z.array(anyText)
export const anyInteger = /* @__PURE__ */ z.int()

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
