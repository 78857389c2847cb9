import * as zod from 'zod/v4/mini'

/** What build/lean-zod.mjs has of zod: by name, so that a bundler leaves out the rest. */
const zodCalls = {
  array: zod.array,
  bigint: zod.bigint,
  boolean: zod.boolean,
  email: zod.email,
  extend: zod.extend,
  gte: zod.gte,
  int: zod.int,
  int32: zod.int32,
  literal: zod.literal,
  looseObject: zod.looseObject,
  lte: zod.lte,
  maxLength: zod.maxLength,
  minLength: zod.minLength,
  nonnegative: zod.nonnegative,
  nullable: zod.nullable,
  number: zod.number,
  object: zod.object,
  omit: zod.omit,
  optional: zod.optional,
  pipe: zod.pipe,
  record: zod.record,
  refine: zod.refine,
  regex: zod.regex,
  strictObject: zod.strictObject,
  string: zod.string,
  toLowerCase: zod.toLowerCase,
  transform: zod.transform,
  union: zod.union,
  unknown: zod.unknown,
  url: zod.url,
  null: zod.null,
  enum: zod.enum,
  'iso.datetime': zod.iso.datetime,
}

/** What was made of schemas of build/lean-zod.mjs, and of what each schema of zod was made. */
const made = new WeakMap()
const sources = new WeakMap()

/** The same of zod itself, made by the same calls; what is no schema of build/lean-zod.mjs stays as it is. */
export function replay(value) {
  if (Array.isArray(value)) return value.map(replay)
  if (typeof value !== 'object' || value === null) return value
  const call = value._zod?.made
  if (call) {
    let schema = made.get(value)
    if (!schema) {
      made.set(value, (schema = make(call)))
      sources.set(schema._zod, value)
    }
    return schema
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replay(part)]))
}

function make([name, ...given]) {
  const values = given.map(replay)
  if (name === 'check') {
    const [schema, checks] = values
    return schema.check(...checks)
  }
  return zodCalls[name](...values)
}

/** Of a schema of zod the one that it was made of, if it was. */
export const sourceOf = (schema) => sources.get(schema._zod) ?? schema
