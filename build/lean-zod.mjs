/**
 * Stands in for `zod/mini` below `src/core`, `src/areas` and `src/fixtures`: what a page loads. It has what these use and no
 * more, and finds the same issues in the same order; a test holds it against zod. Whoever wants all of zod, such as JSON
 * Schema, replays the construction: build/replay-zod.mjs.
 */
class LeanSchema {
  /** @param def as zod has it @param parse what is done with a value @param made the call that makes the same of zod: its name and arguments. */
  constructor(def, parse, made, { optin, optout, values, check } = {}) {
    const checks = [...(check ? [{ _zod: { def, check, inst: this } }] : []), ...(def.checks ?? [])]
    this._zod = {
      def,
      made,
      optin,
      optout,
      values,
      isCheck: check !== undefined,
      run:
        checks.length === 0
          ? (payload, context) => parse(this, payload, context)
          : (payload, context) => runChecks(this, parse(this, payload, context), checks),
      with: (more) =>
        new LeanSchema({ ...def, checks: [...(def.checks ?? []), ...more] }, parse, ['check', this, more], {
          optin,
          optout,
          values,
          check,
        }),
    }
  }

  get shape() {
    return this._zod.def.shape
  }

  get '~standard'() {
    return {
      version: 1,
      vendor: 'zod',
      validate: (value) => {
        const result = this.safeParse(value)
        return result.success ? { value: result.data } : { issues: result.error.issues }
      },
    }
  }

  check(...checks) {
    return this._zod.with(checks)
  }

  safeParse(value, context) {
    const { value: data, issues } = this._zod.run({ value, issues: [] }, context)
    if (issues.length === 0) return { success: true, data }
    let error
    return {
      success: false,
      get error() {
        return (error ??= { issues: issues.map((issue) => finalize(issue, context)) })
      },
    }
  }
}

function runChecks(inst, payload, checks) {
  let isAborted = hasAborted(payload)
  for (const { _zod } of checks) {
    const { when } = _zod.def
    if (
      when ? payload.aborted || payload.issues.some((issue) => issue.continue === false) || !when(payload) : isAborted
    )
      continue
    const before = payload.issues.length
    _zod.check(payload)
    for (const issue of payload.issues.slice(before)) {
      issue.schema ??= inst
      if (issue.continue !== true) isAborted = true
    }
  }
  return payload
}

const hasAborted = ({ aborted, issues }) => aborted === true || issues.some((issue) => issue.continue !== true)

const unwrap = (message) => (typeof message === 'string' ? message : message?.message)

function finalize(found, context) {
  const { inst, continue: _, input: __, ...issue } = found
  let { schema } = found
  if (inst instanceof LeanSchema) schema = inst._zod.isCheck ? (schema ?? inst) : inst
  delete issue.schema
  issue.path ??= []
  issue.message ||=
    unwrap(inst?._zod.def.error?.(found)) ??
    (schema === inst ? undefined : unwrap(schema?._zod.def.error?.(found))) ??
    unwrap(context?.error?.(found)) ??
    'Invalid input'
  return issue
}

/** What a function is given besides: a message, or options with one. */
function read(parameters) {
  if (typeof parameters === 'string') return { error: () => parameters }
  const { error } = parameters ?? {}
  return typeof error === 'string' ? { ...parameters, error: () => error } : { ...parameters }
}

function wrongType(inst, payload, expected, more) {
  payload.issues.push({ expected, code: 'invalid_type', input: payload.value, inst, ...more })
  return payload
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

function prefixed(step, issues) {
  for (const issue of issues) (issue.path ??= []).unshift(step)
  return issues
}

/** Makes schemas of a type that `typeof` tells. */
const primitive =
  (type, accepts, more = () => undefined) =>
  (parameters) =>
    new LeanSchema(
      { type, ...read(parameters) },
      (inst, payload) => (accepts(payload.value) ? payload : wrongType(inst, payload, type, more(payload.value))),
      [type, parameters],
      type === 'null' ? { values: new Set([null]) } : {},
    )

const isText = (value) => typeof value === 'string'
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value)
const notFinite = (value) => (typeof value === 'number' ? { received: String(value) } : undefined)

export const string = /* @__PURE__ */ primitive('string', isText)
export const number = /* @__PURE__ */ primitive('number', isNumber, notFinite)
export const boolean = /* @__PURE__ */ primitive('boolean', (value) => typeof value === 'boolean')
export const bigint = /* @__PURE__ */ primitive('bigint', (value) => typeof value === 'bigint')
export const unknown = /* @__PURE__ */ primitive('unknown', () => true)
const never = /* @__PURE__ */ primitive('never', () => false)
const nothing = /* @__PURE__ */ primitive('null', (value) => value === null)
export { nothing as null }

/** A text with a check of its own. */
const format = (made, def, check) =>
  new LeanSchema(def, (inst, payload) => (isText(payload.value) ? payload : wrongType(inst, payload, 'string')), made, {
    check,
  })

const pattern = (made, name, parameters, regex) => {
  const def = { type: 'string', format: name, check: 'string_format', pattern: regex, ...read(parameters) }
  const inst = format(made, def, (payload) => checkPattern(payload, def, inst, name))
  return inst
}

function checkPattern(payload, { pattern: regex, abort }, inst, name) {
  if (regex.test(payload.value)) return
  payload.issues.push({
    origin: 'string',
    code: 'invalid_format',
    format: name,
    input: payload.value,
    pattern: String(regex),
    inst,
    continue: !abort,
  })
}

// Issues quote them, so they stand as zod writes them.
const emailPattern =
  // oxlint-disable-next-line no-useless-escape
  /^(?:[A-Za-z0-9_'+\-]+\.)*[A-Za-z0-9_'+\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$/
const datetimePattern =
  /^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$/

export const email = (parameters) => pattern(['email', parameters], 'email', parameters, emailPattern)
const datetime = (parameters) => pattern(['iso.datetime', parameters], 'datetime', parameters, datetimePattern)
export const iso = { datetime }

export function url(parameters) {
  const def = { type: 'string', format: 'url', check: 'string_format', ...read(parameters) }
  const inst = format(['url', parameters], def, (payload) => {
    const wrong = (more) =>
      payload.issues.push({
        code: 'invalid_format',
        format: 'url',
        ...more,
        input: payload.value,
        inst,
        continue: !def.abort,
      })
    const text = payload.value.trim()
    const isHttp = def.protocol?.source === '^https?$'
    if (isHttp && !def.normalize && !/^https?:\/\//i.test(text)) return wrong({ note: 'Invalid URL format' })
    if (!URL.canParse(text)) return wrong()
    const { hostname, protocol, href } = new URL(text)
    if (def.hostname && !def.hostname.test(hostname)) wrong({ note: 'Invalid hostname', pattern: def.hostname.source })
    if (def.protocol && !def.protocol.test(protocol.slice(0, -1)))
      wrong({ note: 'Invalid protocol', pattern: def.protocol.source })
    payload.value = def.normalize ? href : text.replace(/[\t\n\r]/g, '')
  })
  return inst
}

/** Numbers without a fraction. */
const integer = (name, formatName, least, most) => (parameters) => {
  const def = { type: 'number', check: 'number_format', abort: false, format: formatName, ...read(parameters) }
  const check = (payload) => {
    const { value: input } = payload
    if (!Number.isInteger(input)) {
      wrongType(inst, payload, 'int', { format: formatName, continue: false })
      return
    }
    const note = Number.isSafeInteger(input)
      ? { origin: 'number' }
      : { origin: 'int', note: 'Integers must be within the safe integer range.' }
    const [low, high] = note.note ? [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] : [least, most]
    const rest = { ...note, input, inclusive: true, inst, continue: true }
    if (input < low) payload.issues.push({ code: 'too_small', minimum: low, ...rest })
    if (input > high) payload.issues.push({ code: 'too_big', maximum: high, ...rest })
  }
  const inst = new LeanSchema(
    def,
    (self, payload) =>
      isNumber(payload.value) ? payload : wrongType(self, payload, 'number', notFinite(payload.value)),
    [name, parameters],
    { check },
  )
  return inst
}

export const int = /* @__PURE__ */ integer('int', 'safeint', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
export const int32 = /* @__PURE__ */ integer('int32', 'int32', -(2 ** 31), 2 ** 31 - 1)

/** One of several values. */
const oneOf = (def, known, made) =>
  new LeanSchema(
    def,
    (inst, payload) => {
      if (!inst._zod.values.has(payload.value))
        payload.issues.push({ code: 'invalid_value', values: known, input: payload.value, inst })
      return payload
    },
    made,
    { values: new Set(known) },
  )

const choice = (names, parameters) =>
  oneOf(
    { type: 'enum', entries: Object.fromEntries(names.map((name) => [name, name])), ...read(parameters) },
    [...new Set(names)],
    ['enum', names, parameters],
  )
export { choice as enum }

export function literal(given, parameters) {
  const values = Array.isArray(given) ? given : [given]
  return oneOf({ type: 'literal', values, ...read(parameters) }, values, ['literal', given, parameters])
}

export const array = (element, parameters) =>
  new LeanSchema(
    { type: 'array', element, ...read(parameters) },
    (inst, payload, context) => {
      const input = payload.value
      if (!Array.isArray(input)) return wrongType(inst, payload, 'array')
      payload.value = Array.from(input, (value, place) => {
        const result = element._zod.run({ value, issues: [] }, context)
        payload.issues.push(...prefixed(place, result.issues))
        return result.value
      })
      return payload
    },
    ['array', element, parameters],
  )

const objectOf = (name, rest) => (shape, parameters) =>
  makeObject(shape, rest?.(), parameters, [name, shape, parameters])

const makeObject = (shape, catchall, parameters, made) =>
  new LeanSchema({ type: 'object', shape, ...(catchall && { catchall }), ...read(parameters) }, parseObject, made)

export const object = /* @__PURE__ */ objectOf('object')
export const strictObject = /* @__PURE__ */ objectOf('strictObject', never)
export const looseObject = /* @__PURE__ */ objectOf('looseObject', unknown)

function parseObject(inst, payload, context) {
  const { shape, catchall } = inst._zod.def
  const input = payload.value
  if (!isObject(input)) return wrongType(inst, payload, 'object')
  payload.value = {}
  for (const name of Object.keys(shape)) {
    const { run, optin, optout } = shape[name]._zod
    putField(run({ value: input[name], issues: [] }, context), payload, name, input, optin, optout)
  }
  if (!catchall) return payload
  const { def, run, optin, optout } = catchall._zod
  const keys = []
  for (const name in input) {
    if (Object.hasOwn(shape, name)) continue
    if (def.type === 'never') keys.push(name)
    else if (name !== '__proto__')
      putField(run({ value: input[name], issues: [] }, context), payload, name, input, optin, optout)
  }
  if (keys.length > 0) payload.issues.push({ code: 'unrecognized_keys', keys, input, inst, continue: true })
  return payload
}

function putField({ value, issues }, payload, name, input, optin, optout) {
  const isPresent = name in input
  if (!isPresent && optin !== undefined && optout === 'optional') return
  payload.issues.push(...prefixed(name, issues))
  if (!isPresent && optin === undefined) {
    if (issues.length === 0)
      payload.issues.push({ code: 'invalid_type', expected: 'nonoptional', input: undefined, path: [name] })
  } else if (isPresent || value !== undefined) payload.value[name] = value
}

export const extend = (schema, fields) => {
  const { def } = schema._zod
  return makeObject({ ...def.shape, ...fields }, def.catchall, { error: def.error }, ['extend', schema, fields])
}

export const omit = (schema, mask) => {
  const { def } = schema._zod
  const shape = Object.fromEntries(Object.entries(def.shape).filter(([name]) => !mask[name]))
  return makeObject(shape, def.catchall, { error: def.error }, ['omit', schema, mask])
}

export const record = (keyType, valueType, parameters) =>
  new LeanSchema(
    { type: 'record', keyType, valueType, ...read(parameters) },
    (inst, payload, context) => {
      const input = payload.value
      if (!isObject(input)) return wrongType(inst, payload, 'record')
      payload.value = {}
      for (const name of Object.keys(input)) {
        if (name === '__proto__') continue
        const key = keyType._zod.run({ value: name, issues: [] }, context)
        if (key.issues.length > 0) {
          const issues = key.issues.map((issue) => finalize(issue, context))
          payload.issues.push({ code: 'invalid_key', origin: 'record', issues, input: name, path: [name], inst })
          continue
        }
        const { value, issues } = valueType._zod.run({ value: input[name], issues: [] }, context)
        payload.issues.push(...prefixed(name, issues))
        payload.value[key.value] = value
      }
      return payload
    },
    ['record', keyType, valueType, parameters],
  )

export const optional = (innerType, parameters) =>
  new LeanSchema(
    { type: 'optional', innerType, ...read(parameters) },
    (_, payload, context) => (payload.value === undefined ? payload : innerType._zod.run(payload, context)),
    ['optional', innerType, parameters],
    { optin: 'optional', optout: 'optional' },
  )

export const nullable = (innerType, parameters) =>
  new LeanSchema(
    { type: 'nullable', innerType, ...read(parameters) },
    (_, payload, context) => (payload.value === null ? payload : innerType._zod.run(payload, context)),
    ['nullable', innerType, parameters],
    { optin: innerType._zod.optin, optout: innerType._zod.optout },
  )

export const union = (options, parameters) =>
  new LeanSchema(
    { type: 'union', options, ...read(parameters) },
    (inst, payload, context) => {
      const results = []
      for (const option of options) {
        const result = option._zod.run({ value: payload.value, issues: [] }, context)
        if (result.issues.length === 0) return result
        results.push(result)
      }
      const whole = results.filter((result) => !hasAborted(result))
      if (whole.length === 1) return whole[0]
      const errors = results.map(({ issues }) => issues.map((issue) => finalize(issue, context)))
      payload.issues.push({ code: 'invalid_union', input: payload.value, inst, errors })
      return payload
    },
    ['union', options, parameters],
    {
      optin: options.some(({ _zod }) => _zod.optin !== undefined) ? 'optional' : undefined,
      optout: options.some(({ _zod }) => _zod.optout === 'optional') ? 'optional' : undefined,
    },
  )

export const pipe = (first, next) =>
  new LeanSchema(
    { type: 'pipe', in: first, out: next },
    (_, payload, context) => {
      const left = first._zod.run(payload, context)
      if (left.issues.every(({ code }) => code === 'unrecognized_keys')) return next._zod.run(left, context)
      left.aborted = true
      return left
    },
    ['pipe', first, next],
    { optin: first._zod.optin, optout: next._zod.optout },
  )

export const transform = (change) =>
  new LeanSchema(
    { type: 'transform', transform: change },
    (_, payload) => {
      payload.value = change(payload.value, payload)
      return payload
    },
    ['transform', change],
    { optin: 'optional' },
  )

export const NEVER = /* @__PURE__ */ Object.freeze({ status: 'aborted' })

/** A check on its own: what `schema.check` takes. */
const makeCheck = (made, def, toCheck) => {
  const inst = { _zod: { def, made } }
  inst._zod.check = toCheck(inst)
  return inst
}

const bound = (name, code, limit, def, accepts, value, parameters) =>
  makeCheck([name, value, parameters], { ...def, ...read(parameters) }, (inst) => (payload) => {
    const { value: input } = payload
    if (!accepts(input))
      payload.issues.push({
        origin: typeof input === 'bigint' ? 'bigint' : 'number',
        code,
        [limit]: value,
        input,
        inclusive: true,
        inst,
        continue: true,
      })
  })

export const gte = (value, parameters) =>
  bound(
    'gte',
    'too_small',
    'minimum',
    { check: 'greater_than', value, inclusive: true },
    (input) => input >= value,
    value,
    parameters,
  )

export const lte = (value, parameters) =>
  bound(
    'lte',
    'too_big',
    'maximum',
    { check: 'less_than', value, inclusive: true },
    (input) => input <= value,
    value,
    parameters,
  )

export const nonnegative = (parameters) => gte(0, parameters)

const hasLength = ({ value }) => value !== undefined && value !== null && value.length !== undefined

const lengthBound = (name, code, limit, accepts, value, parameters) =>
  makeCheck(
    [name, value, parameters],
    { check: name === 'minLength' ? 'min_length' : 'max_length', [limit]: value, when: hasLength, ...read(parameters) },
    (inst) => (payload) => {
      const { value: input } = payload
      // A text is as long as it has characters, not halves of them.
      if (accepts(isText(input) ? Array.from(input).length : input.length)) return
      const origin = isText(input) ? 'string' : Array.isArray(input) ? 'array' : 'unknown'
      payload.issues.push({ origin, code, [limit]: value, inclusive: true, input, inst, continue: true })
    },
  )

export const minLength = (least, parameters) =>
  lengthBound('minLength', 'too_small', 'minimum', (length) => length >= least, least, parameters)

export const maxLength = (most, parameters) =>
  lengthBound('maxLength', 'too_big', 'maximum', (length) => length <= most, most, parameters)

export const regex = (expression, parameters) =>
  makeCheck(
    ['regex', expression, parameters],
    { check: 'string_format', format: 'regex', pattern: expression, ...read(parameters) },
    (inst) => (payload) => checkPattern(payload, inst._zod.def, inst, 'regex'),
  )

export const refine = (accepts, parameters) =>
  makeCheck(
    ['refine', accepts, parameters],
    { type: 'custom', check: 'custom', fn: accepts, ...read(parameters) },
    (inst) => (payload) => {
      const { path = [], abort } = inst._zod.def
      if (!accepts(payload.value))
        payload.issues.push({ code: 'custom', input: payload.value, inst, path: [...path], continue: !abort })
    },
  )

export const toLowerCase = () =>
  makeCheck(['toLowerCase'], { check: 'overwrite' }, () => (payload) => {
    payload.value = payload.value.toLowerCase()
  })
