import en from 'zod/v4/locales/en.js'
import type * as z from 'zod/mini'
import type { Contract } from '../core/contract.ts'
import type { Problem } from '../core/problem.ts'
import { suggest } from '../core/suggest.ts'
import { operationFilter } from './condition.ts'
import { fillIn, findUnfilled, type OptionDeclaration } from './options.ts'
import { effectKinds, headSchema, scenarioName } from './schema.ts'

const inEnglish = { error: en().localeError }
const headMembers = Object.keys(headSchema.shape)
const members = [...headMembers, ...effectKinds.map((kind) => kind.name)]

type Add = (path: readonly PropertyKey[], message: string) => void

/** Everything that is wrong with a scenario's file; its effects are looked at with the options' defaults filled in. */
export function checkScenario(file: string, name: string, data: unknown, contract: Contract): Problem[] {
  const problems: Problem[] = []
  const add: Add = (path, message) => problems.push({ file, path, message })
  if (!scenarioName.test(name)) add([], `the name "${name}" is not valid: expected only a-z, 0-9 and "-"`)
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    add([], 'expected title, description, covers and effects')
    return problems
  }
  for (const member of Object.keys(data)) if (!members.includes(member)) add([member], `there is no such member; there are ${members.join(', ')}.${suggest(member, members)}`)
  if (!effectKinds.some((kind) => Object.hasOwn(data, kind.name))) add([], `nothing happens in it: expected ${effectKinds.map((kind) => kind.name).join(', ')}`)
  const head = headSchema.safeParse(data, inEnglish)
  addIssues([], head.error, add)
  if (head.success) checkEffects(data as Record<string, unknown>, defaultsOf(head.data.options), contract, add)
  return problems
}

/** The values that options have when nothing is chosen. */
export function defaultsOf(options: Readonly<Record<string, OptionDeclaration>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, option.default]))
}

function checkEffects(data: Record<string, unknown>, options: Record<string, unknown>, contract: Contract, add: Add): void {
  for (const kind of effectKinds) {
    if (!Object.hasOwn(data, kind.name)) continue
    const unfilled = findUnfilled(data[kind.name], options)
    for (const { path, name } of unfilled) add([kind.name, ...path], `there is no option "${name}".${suggest(name, Object.keys(options))}`)
    if (unfilled.length > 0) continue
    const spec = kind.schema.safeParse(fillIn(data[kind.name], options), inEnglish)
    addIssues([kind.name], spec.error, add)
    if (!spec.success) continue
    for (const { path, message } of kind.check?.(spec.data, contract) ?? []) add([kind.name, ...path], message)
    checkOperations(kind.name, spec.data, contract, add)
  }
}

/** An `on` that names no operation would never fire, and nobody would know why. */
function checkOperations(kind: string, specs: unknown, { operations }: Contract, add: Add): void {
  if (!Array.isArray(specs)) return
  const ids = operations.map(({ id }) => id)
  specs.forEach((spec: { on?: string | string[] }, index) => {
    for (const [place, pattern] of (Array.isArray(spec.on) ? spec.on : spec.on === undefined ? [] : [spec.on]).entries())
      if (!ids.some(operationFilter(pattern)))
        add([kind, index, 'on', ...(Array.isArray(spec.on) ? [place] : [])], `no operation is called "${pattern}".${suggest(pattern, ids)}`)
  })
}

function addIssues(path: readonly PropertyKey[], error: z.core.$ZodError | undefined, add: Add): void {
  for (const issue of error?.issues ?? [])
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) add([...path, ...issue.path, key], 'there is no such field')
    else add([...path, ...issue.path], issue.code === 'invalid_key' ? issue.issues[0]!.message : issue.message)
}
