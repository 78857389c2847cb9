import en from 'zod/v4/locales/en.js'
import type * as z from 'zod/mini'
import type { Ledger } from '../core/assumptions.ts'
import type { Problem } from '../core/problem.ts'
import { suggest } from '../core/suggest.ts'
import { fillIn, findUnfilled, type OptionDeclaration } from './options.ts'
import { effectKinds, headSchema, scenarioName } from './schema.ts'

const inEnglish = { error: en().localeError }
const headMembers = Object.keys(headSchema.shape)
const members = [...headMembers, ...effectKinds.map((kind) => kind.name)]

type Add = (path: readonly PropertyKey[], message: string) => void

/** Everything that is wrong with a scenario's file; its effects are looked at with the options' defaults filled in. */
export function checkScenario(file: string, name: string, data: unknown, ledger: Ledger): Problem[] {
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
  if (head.success) checkEffects(data as Record<string, unknown>, defaultsOf(head.data.options), ledger, add)
  return problems
}

/** The values that options have when nothing is chosen. */
export function defaultsOf(options: Readonly<Record<string, OptionDeclaration>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, option.default]))
}

function checkEffects(data: Record<string, unknown>, options: Record<string, unknown>, ledger: Ledger, add: Add): void {
  for (const kind of effectKinds) {
    if (!Object.hasOwn(data, kind.name)) continue
    const unfilled = findUnfilled(data[kind.name], options)
    for (const { path, name } of unfilled) add([kind.name, ...path], `there is no option "${name}".${suggest(name, Object.keys(options))}`)
    const spec = kind.schema.safeParse(fillIn(data[kind.name], options), inEnglish)
    if (unfilled.length === 0) addIssues([kind.name], spec.error, add)
    if (kind.name !== 'assume' || !spec.success) continue
    for (const [id, value] of Object.entries(spec.data as Record<string, unknown>))
      try {
        ledger.check(id, String(value))
      } catch (error) {
        add([kind.name, id], (error as Error).message)
      }
  }
}

function addIssues(path: readonly PropertyKey[], error: z.core.$ZodError | undefined, add: Add): void {
  for (const issue of error?.issues ?? [])
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) add([...path, ...issue.path, key], 'there is no such field')
    else add([...path, ...issue.path], issue.code === 'invalid_key' ? issue.issues[0]!.message : issue.message)
}
