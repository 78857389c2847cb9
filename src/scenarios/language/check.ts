import type { Contract } from '../../core/pipeline/operation.ts'
import type { Problem } from '../../core/contract/problem.ts'
import { sharedByBuilds } from '../../core/contract/across-builds.ts'
import { isObject } from '../../core/contract/options.ts'
import { globFilter } from '../../core/text/values.ts'
import { describeProblem, quote } from '../../core/text/messages.ts'
import type { EffectKind } from './effect-kind.ts'
import { type Finding, read } from '../../core/store/validation-message.ts'
import { choicesOf, type OptionDeclaration } from './option-values.ts'
import { effectKinds, headSchema, scenarioNamePattern, whyNoEffects } from './schema.ts'

const headMembers = Object.keys(headSchema.shape)
const members = [...headMembers, ...effectKinds.map((kind) => kind.name)]

/** The maximum depth of a file: more than scenarios need, and a guard against cyclic objects. */
const deepest = 100

type Add = (path: readonly PropertyKey[], message: string) => void

/** Returns all problems of a scenario file. Checks effects with the default options, then with each other listed value or bound. */
export function checkScenario(file: string, name: string, data: unknown, contract: Contract): Problem[] {
  if (isChecked(data as object, name, contract)) return []
  const problems: Problem[] = []
  const specs = new Map<string, unknown>()
  const add: Add = (path, message) => problems.push({ file, path, message })
  if (!scenarioNamePattern.test(name))
    add([], `the name "${name}" is not valid: expected only a-z, 0-9 and "-"${suggestName(name)}`)
  if (!isObject(data))
    return [...problems, { file, path: [], message: 'expected title, description, covers and effects' }]
  if (isDeep(data, deepest)) return [...problems, { file, path: [], message: `nested deeper than ${deepest} levels` }]
  for (const member of Object.keys(data))
    if (!members.includes(member)) add([member], describeProblem('there is no such field', member, members, true))
  const nothing = whyNoEffects(data)
  if (nothing !== undefined) add([], nothing)
  const head = read(headSchema, data)
  for (const { path, message } of head.findings) add(path, message)
  if ('data' in head) checkEffects(data, head.data.options ?? {}, contract, specs, add)
  const isKnown = (path: readonly PropertyKey[]) => problems.some((problem) => String(problem.path) === String(path))
  for (const member of members)
    if (Object.hasOwn(data, member))
      for (const { path, message } of findNonJson(data[member], [member])) if (!isKnown(path)) add(path, message)
  if (problems.length === 0) checked.set(data, { name, contract, specs, isFrozen: isFrozen(data) })
  return problems
}

function checkEffects(
  data: Readonly<Record<string, unknown>>,
  declared: Readonly<Record<string, OptionDeclaration>>,
  contract: Contract,
  specs: Map<string, unknown>,
  add: Add,
): void {
  const defaults = Object.fromEntries(Object.entries(declared).map(([name, option]) => [name, option.default]))
  const unused = new Set(Object.keys(declared))
  for (const kind of effectKinds) {
    if (!Object.hasOwn(data, kind.name)) continue
    const placeholders = findPlaceholders(data[kind.name])
    for (const { name } of placeholders) if (name !== undefined) unused.delete(name)
    const unfilled = placeholders.filter(({ name }) => name === undefined || !Object.hasOwn(declared, name))
    for (const { path, name } of unfilled)
      add(
        [kind.name, ...path],
        name === undefined
          ? 'a placeholder has no end: expected "}" after "${"'
          : describeProblem(`there is no option ${quote(name)}`, name, Object.keys(declared)),
      )
    const { spec, findings } = readEffect(kind, data[kind.name], defaults, contract)
    for (const { path, message } of findings)
      if (!unfilled.some((place) => isAtOrBelow(path, [kind.name, ...place.path]))) add(path, message)
    if (findings.length > 0 || unfilled.length > 0) continue
    specs.set(kind.name, spec)
    for (const [name, option] of Object.entries(declared)) {
      if (!placeholders.some((placeholder) => placeholder.name === name)) continue
      for (const { path, value } of choicesOf(option)) {
        const tried = readEffect(kind, data[kind.name], { ...defaults, [name]: value }, contract)
        const finding = tried.findings.find(
          (one) => tried.spec === undefined || !dependsOnOthers(one, name, placeholders),
        )
        if (finding)
          add(
            ['options', name, ...path],
            `with ${JSON.stringify(value)}, ${finding.path.map(String).join('.')}: ${finding.message}`,
          )
      }
    }
  }
  for (const name of unused) add(['options', name], `is not used: expected "\${${name}}" in an effect`)
}

function isAtOrBelow(path: readonly PropertyKey[], place: readonly PropertyKey[]): boolean {
  return place.every((step, depth) => String(step) === String(path[depth]))
}

/**
 * Whether the choice of another option could correct a mistake, because its placeholder is in the same item. A wrong `on` is
 * always a mistake.
 */
function dependsOnOthers(
  { path: [, part, field] }: Finding,
  option: string,
  placeholders: readonly Placeholder[],
): boolean {
  return field !== 'on' && placeholders.some(({ path, name }) => name !== option && String(path[0]) === String(part))
}

/** Finds values that a schema accepts but JSON cannot express: NaN, infinite numbers, and the field name `__proto__`. */
function findNonJson(value: unknown, path: readonly PropertyKey[]): Finding[] {
  if (typeof value === 'number' && !Number.isFinite(value))
    return [{ path, message: `is not a valid JSON number: ${value}` }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => {
    const below = [...path, Array.isArray(value) ? Number(name) : name]
    return name === '__proto__'
      ? [{ path: below, message: 'the name "__proto__" is not allowed' }]
      : findNonJson(item, below)
  })
}

function isDeep(value: unknown, levels: number): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (levels === 0 || Object.values(value).some((part) => isDeep(part, levels - 1)))
  )
}

function suggestName(name: string): string {
  const like = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return like === '' ? '' : `. Did you mean "${like}"?`
}

interface Checked {
  readonly name: string
  readonly contract: Contract
  readonly specs: ReadonlyMap<string, unknown>
  readonly isFrozen: boolean
}

const checked = new WeakMap<object, Checked>()

/** Whether a file was valid under this name, and cannot have changed since, because it is frozen. */
function isChecked(data: object, name: string, contract: Contract): boolean {
  const known = checked.get(data)
  return known?.isFrozen === true && known.name === name && known.contract === contract
}

export function checkedSpec(data: object, kind: string): unknown {
  return checked.get(data)?.specs.get(kind)
}

export function freeze<T>(value: T): T {
  // Primitive values count as frozen.
  if (Object.isFrozen(value)) return value
  for (const part of Object.values(value as object)) freeze(part)
  return Object.freeze(value)
}

function isFrozen(value: unknown): boolean {
  return typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen))
}

const files = sharedByBuilds('files', () => new WeakMap<object, string>())

export function setFile(data: object, file: string): void {
  files.set(data, file)
}

/** Returns the path of a scenario's file; `undefined` for a bundled scenario, or one from code. */
export function fileOf(data: object): string | undefined {
  return files.get(data)
}

interface ReadEffect {
  readonly spec: unknown
  readonly findings: readonly Finding[]
}

export function readEffect(
  kind: EffectKind,
  data: unknown,
  options: Readonly<Record<string, unknown>>,
  contract: Contract,
): ReadEffect {
  return readMember(kind, fillIn(data, options), contract)
}

export function readMember(kind: EffectKind, data: unknown, contract: Contract): ReadEffect {
  const result = read(contract.open(kind.schema), data)
  const findings =
    'data' in result
      ? [...(kind.check?.(result.data, contract) ?? []), ...checkOperations(result.data, contract)]
      : result.findings
  return {
    spec: 'data' in result ? result.data : undefined,
    findings: findings.map(({ path, message }) => ({ path: [kind.name, ...path], message })),
  }
}

/** Reports an `on` that matches no operation, because the effect would never act. */
function checkOperations(specs: unknown, { operations, missing }: Contract): Finding[] {
  if (!Array.isArray(specs)) return []
  const ids = operations.map(({ id }) => id)
  const globs = new Set(ids.map((id) => `${id.split('.')[0]}.*`))
  return specs.flatMap(({ on = [] }: { on?: string | string[] }, index) =>
    [on].flat().flatMap((pattern, position) => {
      if (ids.some(globFilter(pattern))) return []
      const message = describeProblem(`no operation is called ${quote(pattern)}`, pattern, [...ids, ...globs]) + missing
      return [{ path: [index, 'on', ...(Array.isArray(on) ? [position] : [])], message }]
    }),
  )
}

/** `${name}`, or `$${`, which means `${` itself. */
const parts = /\$\$\{|\$\{([a-z][a-z0-9-]*)\}/g

/** Replaces `${name}` in all strings with the option's value. A string that is only a placeholder becomes the value itself. */
export function fillIn(value: unknown, options: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') {
    const name = /^\$\{([a-z][a-z0-9-]*)\}$/.exec(value)?.[1]
    if (name !== undefined && Object.hasOwn(options, name)) return options[name]
    return value.replace(parts, (text, name: string | undefined) => {
      if (name === undefined) return '${'
      return Object.hasOwn(options, name) ? String(options[name]) : text
    })
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, options))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillIn(item, options)]))
}

/** A `${name}` in a string. The name is `undefined` if the brace is never closed. */
export interface Placeholder {
  readonly path: readonly PropertyKey[]
  readonly name: string | undefined
}

export function findPlaceholders(value: unknown, path: readonly PropertyKey[] = []): Placeholder[] {
  if (typeof value === 'string')
    return [...value.matchAll(/\$\$\{|\$\{(?:([^}]*)\})?/g)]
      .filter(([text]) => text !== '$${')
      .map(([, name]) => ({ path, name }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => findPlaceholders(item, [...path, name]))
}
