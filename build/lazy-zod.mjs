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

export const array = lazily(zod.array)
export const bigint = lazily(zod.bigint)
export const boolean = lazily(zod.boolean)
export const discriminatedUnion = lazily(zod.discriminatedUnion)
export const email = lazily(zod.email)
export const extend = lazily(zod.extend)
export const gte = lazily(zod.gte)
export const int = lazily(zod.int)
export const int32 = lazily(zod.int32)
export const literal = lazily(zod.literal)
export const looseObject = lazyObject(zod.looseObject)
export const lte = lazily(zod.lte)
export const maxLength = lazily(zod.maxLength)
export const minLength = lazily(zod.minLength)
export const nonnegative = lazily(zod.nonnegative)
export const nullable = lazily(zod.nullable)
export const number = lazily(zod.number)
export const object = lazyObject(zod.object)
export const omit = lazily(zod.omit)
export const optional = lazily(zod.optional)
export const pipe = lazily(zod.pipe)
export const positive = lazily(zod.positive)
export const record = lazily(zod.record)
export const refine = lazily(zod.refine)
export const regex = lazily(zod.regex)
export const strictObject = lazyObject(zod.strictObject)
export const string = lazily(zod.string)
export const toLowerCase = lazily(zod.toLowerCase)
export const transform = lazily(zod.transform)
export const union = lazily(zod.union)
export const unknown = lazily(zod.unknown)
export const url = lazily(zod.url)
export const describe = lazily(zod.describe)
export const lazy = (getter) => new LazySchema(() => zod.lazy(() => toMade(getter())))
const lazyEnum = lazily(zod.enum)
const lazyNull = lazily(zod.null)
export { lazyEnum as enum, lazyNull as null }
export const iso = { ...zod.iso, datetime: lazily(zod.iso.datetime) }
export const toJSONSchema = (schema, parameters) => zod.toJSONSchema(toMade(schema), parameters)
