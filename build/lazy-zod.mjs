import * as zod from 'zod/v4/mini'

/**
 * Stands in for `zod/mini`: what makes a schema gives one that is made when it is first asked. There are about a thousand of
 * them, which took 8 ms of each start; most starts ask for a few. Inside of one that is made there are no stand-ins.
 */
class LazySchema {
  #make
  #made
  #shape

  /** @param shape of an object: what it is made from. */
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

/** What zod is given: no stand-in, on its own, in a list, or as the field of an object. */
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
