import * as zod from 'zod/v4/mini'

/**
 * Replaces `zod/mini` with functions that create a schema on first use. There are about a thousand schemas, which took
 * 8 ms of each start; most starts use a few. The schemas that zod gets are real ones.
 */
class LazySchema {
  #make
  #made
  #shape

  /** @param shape the fields of an object schema */
  constructor(make, shape) {
    this.#make = make
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
    return LazySchema.madeOf(this).safeParse(value, parameters)
  }

  check(...checks) {
    return new LazySchema(() => LazySchema.madeOf(this).check(...checks.map(toMade)))
  }
}

// Pure calls: a bundler leaves out those that a page does not use, which esbuild and webpack do not find out themselves.
const lazily =
  (make) =>
  (...values) =>
    new LazySchema(() => make(...values.map(toMade)))

const lazyObject = (make) => (shape, parameters) => new LazySchema(() => make(toMade(shape), parameters), shape)

/** Replaces lazy schemas with real ones: a value, those in a list, or those in the fields of an object. */
function toMade(value) {
  if (value instanceof LazySchema) return LazySchema.madeOf(value)
  if (Array.isArray(value)) return value.map(toMade)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toMade(part)]))
}

export * from 'zod/v4/mini'

export const _default = /* @__PURE__ */ lazily(zod._default)
export const array = /* @__PURE__ */ lazily(zod.array)
export const bigint = /* @__PURE__ */ lazily(zod.bigint)
export const boolean = /* @__PURE__ */ lazily(zod.boolean)
export const discriminatedUnion = /* @__PURE__ */ lazily(zod.discriminatedUnion)
export const email = /* @__PURE__ */ lazily(zod.email)
export const extend = /* @__PURE__ */ lazily(zod.extend)
export const gte = /* @__PURE__ */ lazily(zod.gte)
export const int = /* @__PURE__ */ lazily(zod.int)
export const int32 = /* @__PURE__ */ lazily(zod.int32)
export const literal = /* @__PURE__ */ lazily(zod.literal)
export const looseObject = /* @__PURE__ */ lazyObject(zod.looseObject)
export const lte = /* @__PURE__ */ lazily(zod.lte)
export const maxLength = /* @__PURE__ */ lazily(zod.maxLength)
export const minLength = /* @__PURE__ */ lazily(zod.minLength)
export const nonnegative = /* @__PURE__ */ lazily(zod.nonnegative)
export const nullable = /* @__PURE__ */ lazily(zod.nullable)
export const number = /* @__PURE__ */ lazily(zod.number)
export const object = /* @__PURE__ */ lazyObject(zod.object)
export const omit = /* @__PURE__ */ lazily(zod.omit)
export const optional = /* @__PURE__ */ lazily(zod.optional)
export const pipe = /* @__PURE__ */ lazily(zod.pipe)
export const positive = /* @__PURE__ */ lazily(zod.positive)
export const record = /* @__PURE__ */ lazily(zod.record)
export const refine = /* @__PURE__ */ lazily(zod.refine)
export const regex = /* @__PURE__ */ lazily(zod.regex)
export const strictObject = /* @__PURE__ */ lazyObject(zod.strictObject)
export const string = /* @__PURE__ */ lazily(zod.string)
export const stringbool = /* @__PURE__ */ lazily(zod.stringbool)
export const toLowerCase = /* @__PURE__ */ lazily(zod.toLowerCase)
export const transform = /* @__PURE__ */ lazily(zod.transform)
export const union = /* @__PURE__ */ lazily(zod.union)
export const unknown = /* @__PURE__ */ lazily(zod.unknown)
export const url = /* @__PURE__ */ lazily(zod.url)
export const describe = /* @__PURE__ */ lazily(zod.describe)
export const meta = /* @__PURE__ */ lazily(zod.meta)
export const lazy = (getter) => new LazySchema(() => zod.lazy(() => toMade(getter())))
const lazyEnum = /* @__PURE__ */ lazily(zod.enum)
const lazyNull = /* @__PURE__ */ lazily(zod.null)
export { lazyEnum as enum, lazyNull as null }
export const iso = { datetime: /* @__PURE__ */ lazily(zod.iso.datetime) }
export const toJSONSchema = (schema, parameters) => zod.toJSONSchema(toMade(schema), parameters)
