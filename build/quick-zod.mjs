// Reads a value as zod does, without zod, for the schemas that options and flags have. For a kind
// of schema, a function returns one that reads a value, and adds what is wrong to a list, as zod's
// issues. Without one for a part, it returns `undefined`.

/** @param own what a schema says of a value that it rejects */
function reject(issues, path, input, own, code, more) {
  const message = typeof own?.error === 'function' ? own.error({ code, input, ...more }) : own
  issues.push({ code, path, message, ...more })
  return input
}

const reader = (code, accepts, more) => (own) => (value, path, issues) =>
  accepts(value) ? value : reject(issues, path, value, own, code, more)

const checker = (code, accepts) => (limit, own) => ({
  quick: reader(code, (value) => accepts(value, limit))(own),
})

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

export const refine = /* @__PURE__ */ checker('custom', (value, accepts) => accepts(value))
export const gte = /* @__PURE__ */ checker('too_small', (value, limit) => value >= limit)
export const lte = /* @__PURE__ */ checker('too_big', (value, limit) => value <= limit)
export const minLength = /* @__PURE__ */ checker(
  'too_small',
  (value, limit) => [...value].length >= limit,
)
export const note = () => ({ quick: (value) => value })

export const string = /* @__PURE__ */ reader('invalid_type', (value) => typeof value === 'string')
export const boolean = /* @__PURE__ */ reader('invalid_type', (value) => typeof value === 'boolean')
export const number = /* @__PURE__ */ reader('invalid_type', Number.isFinite)
export const int = /* @__PURE__ */ reader('invalid_type', Number.isSafeInteger, { expected: 'int' })
export const unknown = () => (value) => value
export const custom = (accepts, own) => reader('custom', accepts)(own)
export const literal = (wanted, own) => reader('invalid_value', (value) => value === wanted)(own)
export const enumeration = (words, own) =>
  reader('invalid_value', (value) => Object.values(words).includes(value))(own)

/** Reads by several functions, one after the other, until one rejects the value. */
function inTurn(readers) {
  if (readers.includes(undefined)) return undefined
  return (value, path, issues) =>
    readers.reduce((read, next) => (issues.length > 0 ? read : next(read, path, issues)), value)
}

/** A check that is a function reports by itself what is wrong, and where below the value. */
const toReader = (check) => (value, path, issues) => {
  const found = []
  check({ value, issues: found })
  for (const issue of found) issues.push({ ...issue, path: [...path, ...(issue.path ?? [])] })
  return value
}

export const withChecks = (quick, checks) =>
  inTurn([
    quick,
    ...checks.map((check) => (typeof check === 'function' ? toReader(check) : check.quick)),
  ])
export const pipe = (first, second) => inTurn([first.quick, second.quick])

export const optional = ({ quick }) =>
  quick && ((value, path, issues) => (value === undefined ? value : quick(value, path, issues)))

export function transform(convert) {
  return (value, path, issues) => convert(value, { value, issues })
}

const areQuick = (schemas) => Object.values(schemas).every(({ quick }) => quick)

export function union(options, own) {
  if (!areQuick(options)) return undefined
  return (value, path, issues) => {
    const errors = []
    for (const { quick } of options) {
      const found = []
      const read = quick(value, path, found)
      if (found.length === 0) return read
      errors.push(found)
    }
    return reject(issues, path, value, own, 'invalid_union', { errors })
  }
}

const ofParts = (accepts, own, read) => (value, path, issues) =>
  accepts(value) ? read(value, path, issues) : reject(issues, path, value, own, 'invalid_type')

export const array = ({ quick }, own) =>
  quick &&
  ofParts(Array.isArray, own, (value, path, issues) =>
    value.map((item, index) => quick(item, [...path, index], issues)),
  )

export const looseObject = (shape, own) =>
  Object.keys(shape).length > 0 ? undefined : ofParts(isObject, own, (value) => value)

export function strictObject(shape, own) {
  if (!areQuick(shape)) return undefined
  return ofParts(isObject, own, (value, path, issues) => {
    const read = {}
    for (const [name, { quick }] of Object.entries(shape)) {
      const part = quick(value[name], [...path, name], issues)
      if (part !== undefined || name in value) read[name] = part
    }
    const keys = Object.keys(value).filter((name) => !Object.hasOwn(shape, name))
    if (keys.length > 0) reject(issues, path, value, own, 'unrecognized_keys', { keys })
    return read
  })
}
