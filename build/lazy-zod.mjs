import * as zod from 'zod/v4/mini'
import * as quick from './quick-zod.mjs'

/**
 * Replaces `zod/mini` with functions that create a schema on first use. There are about a thousand
 * schemas, which took 8 ms of each start; most starts use a few. The schemas that zod gets are real
 * ones. A value that `quick` accepts needs no schema: what a start is given is checked before zod
 * has made any.
 */
class LazySchema {
  #make
  #made
  #shape

  /**
   * @param quick reads a value without zod, if that is possible @param shape the fields of an
   * object schema
   */
  constructor(make, quick, shape) {
    this.#make = make
    this.quick = quick
    this.#shape = shape
  }

  static madeOf(schema) {
    schema.#made ??= schema.#make()
    schema.#make = undefined
    return schema.#made
  }

  get _zod() {
    return LazySchema.madeOf(this)._zod
  }

  get '~standard'() {
    return LazySchema.madeOf(this)['~standard']
  }

  get def() {
    return LazySchema.madeOf(this).def
  }

  get shape() {
    return this.#shape ?? LazySchema.madeOf(this).shape
  }

  parse(value, parameters) {
    return LazySchema.madeOf(this).parse(value, parameters)
  }

  safeParse(value, parameters) {
    const issues = []
    const data = this.quick?.(value, [], issues)
    if (this.quick && issues.length === 0) return { success: true, data }
    return LazySchema.madeOf(this).safeParse(value, parameters)
  }

  check(...given) {
    return new LazySchema(
      () => LazySchema.madeOf(this).check(...given.map(toMade)),
      quick.withChecks(this.quick, given),
    )
  }
}

// Pure calls: a bundler leaves out those that a page does not use, which esbuild and webpack do not
// find out themselves.
const toQuick =
  (check) =>
  (...values) =>
    check(...values).quick

const lazily =
  (make, read) =>
  (...values) =>
    new LazySchema(() => make(...values.map(toMade)), read?.(...values))

const lazyObject = (make, read) => (shape, parameters) =>
  new LazySchema(() => make(toMade(shape), parameters), read?.(shape, parameters), shape)

/**
 * Replaces lazy schemas with real ones: a value, those in a list, or those in the fields of an
 * object.
 */
function toMade(value) {
  if (value instanceof LazySchema) return LazySchema.madeOf(value)
  if (Array.isArray(value)) return value.map(toMade)
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toMade(part)]))
}

export * from 'zod/v4/mini'

export const _default = /* @__PURE__ */ lazily(zod._default)
export const array = /* @__PURE__ */ lazily(zod.array, quick.array)
export const bigint = /* @__PURE__ */ lazily(zod.bigint)
export const boolean = /* @__PURE__ */ lazily(zod.boolean, quick.boolean)
export const custom = /* @__PURE__ */ lazily(zod.custom, quick.custom)
export const discriminatedUnion = /* @__PURE__ */ lazily(zod.discriminatedUnion)
export const email = /* @__PURE__ */ lazily(zod.email)
export const extend = /* @__PURE__ */ lazily(zod.extend)
export const gte = /* @__PURE__ */ lazily(zod.gte, toQuick(quick.gte))
export const int = /* @__PURE__ */ lazily(zod.int, quick.int)
export const int32 = /* @__PURE__ */ lazily(zod.int32)
export const literal = /* @__PURE__ */ lazily(zod.literal, quick.literal)
export const looseObject = /* @__PURE__ */ lazyObject(zod.looseObject, quick.looseObject)
export const lte = /* @__PURE__ */ lazily(zod.lte, toQuick(quick.lte))
export const maxLength = /* @__PURE__ */ lazily(zod.maxLength)
export const minLength = /* @__PURE__ */ lazily(zod.minLength, toQuick(quick.minLength))
export const nonnegative = /* @__PURE__ */ lazily(zod.nonnegative)
export const nullable = /* @__PURE__ */ lazily(zod.nullable)
export const number = /* @__PURE__ */ lazily(zod.number, quick.number)
export const object = /* @__PURE__ */ lazyObject(zod.object)
export const omit = /* @__PURE__ */ lazily(zod.omit)
export const optional = /* @__PURE__ */ lazily(zod.optional, quick.optional)
/** Its fields are those of the object that is made, as a part of another object may share them. */
export const partial = (schema) => {
  const toField = (name) => [name, new LazySchema(() => LazySchema.madeOf(whole).shape[name])]
  const shape = Object.fromEntries(Object.keys(schema.shape).map(toField))
  const whole = new LazySchema(() => zod.partial(toMade(schema)), undefined, shape)
  return whole
}
export const pipe = /* @__PURE__ */ lazily(zod.pipe, quick.pipe)
export const positive = /* @__PURE__ */ lazily(zod.positive)
export const record = /* @__PURE__ */ lazily(zod.record)
export const refine = /* @__PURE__ */ lazily(zod.refine, toQuick(quick.refine))
export const regex = /* @__PURE__ */ lazily(zod.regex)
export const strictObject = /* @__PURE__ */ lazyObject(zod.strictObject, quick.strictObject)
export const string = /* @__PURE__ */ lazily(zod.string, quick.string)
export const stringbool = /* @__PURE__ */ lazily(zod.stringbool)
export const toLowerCase = /* @__PURE__ */ lazily(zod.toLowerCase)
export const transform = /* @__PURE__ */ lazily(zod.transform, quick.transform)
export const union = /* @__PURE__ */ lazily(zod.union, quick.union)
export const unknown = /* @__PURE__ */ lazily(zod.unknown, quick.unknown)
export const url = /* @__PURE__ */ lazily(zod.url)
export const describe = /* @__PURE__ */ lazily(zod.describe, toQuick(quick.note))
export const meta = /* @__PURE__ */ lazily(zod.meta, toQuick(quick.note))
export const lazy = (getter) => new LazySchema(() => zod.lazy(() => toMade(getter())))
const lazyEnum = /* @__PURE__ */ lazily(zod.enum, quick.enumeration)
const lazyNull = /* @__PURE__ */ lazily(zod.null)
export { lazyEnum as enum, lazyNull as null }
export const iso = { datetime: /* @__PURE__ */ lazily(zod.iso.datetime) }
export const toJSONSchema = (schema, parameters) => zod.toJSONSchema(toMade(schema), parameters)
