import type { Contract } from '../../core/pipeline/area.ts'
import type { Problem } from '../../core/contract/problem.ts'
import { sharedByBuilds } from '../../core/contract/builds.ts'
import { isObject } from '../../core/contract/options.ts'
import { describeProblem, quote, toSlug } from '../../core/text/messages.ts'
import { type Finding, readBySchema } from '../../core/store/validation-message.ts'
import type { ParsedEffects } from './effect-kind.ts'
import { checkMembers, isReported } from './inline.ts'
import { toPlainData } from './plain-data.ts'
import {
  choicesOf,
  type Declared,
  defaultsOf,
  fillIn,
  findPlaceholders,
  isPathWithin,
  type Placeholder,
} from './options.ts'
import {
  effectKinds,
  effectsOf,
  headSchema,
  type ReadEffects,
  readEffects,
  type ScenarioFile,
  scenarioNamePattern,
} from './schema.ts'
import type { Fields } from '../../core/text/values.ts'

const headMembers = Object.keys(headSchema.shape)
const members = [...headMembers, ...effectKinds.map((kind) => kind.name)]

type AddProblem = (path: readonly PropertyKey[], message: string) => void

/**
 * Reads a scenario file, once: its data may say something else at the next reading. Returns it, or all
 * its problems. Checks effects with the default options, then with each other listed value or bound.
 */
export function checkScenario(
  file: string,
  name: string,
  data: unknown,
  contract: Contract,
): {
  problems: Problem[]
  checked?: CheckedFile
} {
  const checked = checkedFiles.get(data as object)
  if (checked?.name === name && checked.contract === contract)
    return {
      problems: [],
      checked,
    }
  const problems: Problem[] = []
  const add: AddProblem = (path, message) =>
    problems.push({
      file,
      path,
      message,
    })
  if (!scenarioNamePattern.test(name))
    add([], `the name "${name}" is not valid: expected only a-z, 0-9 and "-"${suggestName(name)}`)
  if (!isObject(data)) {
    add([], 'expected title, description, covers and effects')
    return { problems }
  }
  for (const { path, message } of checkMembers(data, members)) add(path, message)
  const findings: Finding[] = []
  const known = Object.entries(data).filter(([member]) => members.includes(member))
  const plain = toPlainData(Object.fromEntries(known), findings)
  for (const { path, message } of findings) add(path, message)
  if (!plain) return { problems }
  const effects = checkParts(plain, contract, (path, message) => {
    if (!isReported({ path, message }, findings)) add(path, message)
  })
  if (problems.length > 0) return { problems }
  const read = {
    name,
    contract,
    file: plain as ScenarioFile,
    effects,
  }
  if (isFrozen(data)) checkedFiles.set(data, read)
  return {
    problems,
    checked: read,
  }
}

function checkParts(data: Fields, contract: Contract, add: AddProblem): ParsedEffects {
  const head = readBySchema(headSchema, data)
  for (const { path, message } of head.findings) add(path, message)
  if (!('data' in head)) return []
  return checkEffects(effectsOf(data), head.data.options ?? {}, contract, add)
}

function checkEffects(data: Fields, declared: Declared, contract: Contract, add: AddProblem) {
  const defaults = defaultsOf(declared)
  const placeholders = findPlaceholders(data)
  const unknownPlaceholders = placeholders.filter(
    ({ name }) => name === undefined || !Object.hasOwn(declared, name),
  )
  for (const { path, name } of unknownPlaceholders)
    add(path, describeUnknownPlaceholder(name, declared))
  const { effects, findings } = readEffects(fillIn(data, defaults), contract)
  for (const { path, message } of findings)
    if (!unknownPlaceholders.some((place) => isPathWithin(path, place.path))) add(path, message)
  // Mistakes in these members are reported already, whatever the options are.
  const wrongMembers = new Set([...unknownPlaceholders, ...findings].map(({ path }) => path[0]))
  const used = new Set(placeholders.map(({ name }) => name))
  for (const [name, option] of Object.entries(declared)) {
    if (!used.has(name)) {
      add(['options', name], `is not used: expected "\${${name}}" in an effect`)
      continue
    }
    const others = placeholders.filter((placeholder) => placeholder.name !== name)
    for (const { path, value } of choicesOf(option)) {
      const tried = readEffects(
        fillIn(data, {
          ...defaults,
          [name]: value,
        }),
        contract,
      )
      const finding = findOwnMistake(tried, wrongMembers, others)
      if (finding)
        add(
          ['options', name, ...path],
          `with ${JSON.stringify(value)}, ${finding.path.map(String).join('.')}: ${finding.message}`,
        )
    }
  }
  return effects
}

function describeUnknownPlaceholder(name: string | undefined, declared: Declared): string {
  if (name === undefined) return 'a placeholder has no end: expected "}" after "${"'
  return describeProblem(`there is no option ${quote(name)}`, name, Object.keys(declared))
}

/**
 * Finds a mistake that the tried value causes alone. Another option in the same item could correct
 * the mistake with its value, unless `on` is wrong.
 */
function findOwnMistake(
  { effects, findings }: ReadEffects,
  failing: ReadonlySet<PropertyKey | undefined>,
  others: readonly Placeholder[],
): Finding | undefined {
  const misshapen = effects.filter(({ spec }) => spec === undefined).map(({ kind }) => kind.name)
  const dependsOnOthers = (path: Finding['path']) =>
    path[2] !== 'on' && others.some((one) => isPathWithin(one.path, path.slice(0, 2)))
  return findings.find(({ path }) => {
    if (failing.has(path[0])) return false
    return misshapen.includes(String(path[0])) || !dependsOnOthers(path)
  })
}

function suggestName(name: string): string {
  const slug = toSlug(name)
  if (slug === '') return ''
  return `. Did you mean "${slug}"?`
}

/** A valid file, as it was read. */
export interface CheckedFile {
  readonly file: ScenarioFile
  /** Its effects with the default options. */
  readonly effects: ParsedEffects
}

/** The valid files by their data, if that is frozen, so that it cannot have changed since. */
const checkedFiles = new WeakMap<
  object,
  CheckedFile & {
    name: string
    contract: Contract
  }
>()

function isFrozen(value: unknown): boolean {
  return (
    typeof value !== 'object' ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(isFrozen))
  )
}

/**
 * The paths of scenario files, by their content. A bundled scenario, or one from code, has none.
 */
export const scenarioFiles = sharedByBuilds('files', () => new WeakMap<object, string>())
