import type { Contract } from '../../core/pipeline/operation.ts'
import type { Problem } from '../../core/contract/problem.ts'
import { isObject } from '../../core/contract/options.ts'
import { suggest } from '../../core/text/messages.ts'
import { isChecked, cacheChecked } from './checked.ts'
import { type Finding, read } from './issues.ts'
import { choicesOf, type OptionDeclaration } from './option-values.ts'
import { findPlaceholders, type Placeholder, readEffect } from './read-effect.ts'
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
  if (!isObject(data)) {
    add([], 'expected title, description, covers and effects')
    return problems
  }
  if (isDeep(data, deepest)) {
    add([], `nested deeper than ${deepest} levels`)
    return problems
  }
  for (const member of Object.keys(data))
    if (!members.includes(member))
      add([member], `there is no such field; expected one of ${members.join(', ')}.${suggest(member, members)}`)
  const nothing = whyNoEffects(data)
  if (nothing !== undefined) add([], nothing)
  const head = read(headSchema, data)
  for (const { path, message } of head.findings) add(path, message)
  if ('data' in head) checkEffects(data, head.data.options ?? {}, contract, specs, add)
  const isKnown = (path: readonly PropertyKey[]) => problems.some((problem) => String(problem.path) === String(path))
  for (const member of members)
    if (Object.hasOwn(data, member))
      for (const { path, message } of findNonJson(data[member], [member])) if (!isKnown(path)) add(path, message)
  if (problems.length === 0) cacheChecked(data, name, contract, specs)
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
          : `there is no option "${name}".${suggest(name, Object.keys(declared))}`,
      )
    const { spec, findings } = readEffect(kind, data[kind.name], defaults, contract)
    for (const { path, message } of findings)
      if (!unfilled.some((place) => isAtOrBelow(path, [kind.name, ...place.path]))) add(path, message)
    if (findings.length > 0 || unfilled.length > 0) continue
    specs.set(kind.name, spec)
    for (const [name, option] of Object.entries(declared))
      for (const { path, value } of placeholders.some((placeholder) => placeholder.name === name)
        ? choicesOf(option)
        : []) {
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
