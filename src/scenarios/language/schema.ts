import * as z from 'zod/mini'
import type { Contract } from '../../core/pipeline/area.ts'
import { type Finding, readBySchema } from '../../core/store/validation-message.ts'
import { describeProblem, quote } from '../../core/text/messages.ts'
import { globFilter, type Fields } from '../../core/text/values.ts'
import type { EffectKind, ParsedEffects } from './effect-kind.ts'
import { accountEffect } from '../effects/account.ts'
import { assumeEffect } from '../effects/assume.ts'
import { deliverEffect } from '../effects/deliver.ts'
import { faultEffect } from '../effects/fault.ts'
import { keysEffect } from '../effects/keys.ts'
import { malformEffect } from '../effects/malform.ts'
import { paymentsEffect } from '../effects/payments.ts'
import { quotaEffect } from '../effects/quota.ts'
import { recordedEffect } from '../effects/recorded.ts'
import { recordsEffect } from '../effects/records.ts'
import { respondEffect } from '../effects/respond.ts'
import { described, optional } from '../../core/contract/zod.ts'
import { optionSchema } from './options.ts'

export const effectKinds: readonly EffectKind[] = [
  keysEffect,
  quotaEffect,
  accountEffect,
  assumeEffect,
  recordsEffect,
  recordedEffect,
  respondEffect,
  malformEffect,
  faultEffect,
  deliverEffect,
  paymentsEffect,
]

export function effectsOf(data: Fields): Fields {
  const given = effectKinds.filter(({ name }) => Object.hasOwn(data, name))
  return Object.fromEntries(given.map(({ name }) => [name, data[name]]))
}

export function whyNoEffects(data: Fields): string | undefined {
  const isGiven = (value: unknown) =>
    value !== undefined && !(Array.isArray(value) && value.length === 0)
  if (Object.values(effectsOf(data)).some(isGiven)) return undefined
  return `it has no effects: expected at least one of ${effectKinds.map(({ name }) => name).join(', ')}`
}

export interface ReadEffects {
  readonly effects: ParsedEffects
  readonly findings: readonly Finding[]
}

/**
 * Reads the effects of a scenario, with its options filled in. The `spec` of one with the wrong
 * shape is `undefined`.
 */
export function readEffects(data: Fields, contract: Contract): ReadEffects {
  const findings: Finding[] = []
  const effects = effectKinds
    .filter(({ name }) => Object.hasOwn(data, name))
    .map((kind) => {
      const { spec, found } = readEffect(kind, data[kind.name], contract)
      findings.push(
        ...found.map(({ path, message }) => ({
          path: [kind.name, ...path],
          message,
        })),
      )
      return { kind, spec }
    })
  return { effects, findings }
}

function readEffect(kind: EffectKind, given: unknown, contract: Contract) {
  const result = readBySchema(contract.open(kind.schema), given)
  if (!('data' in result))
    return {
      spec: undefined,
      found: result.findings,
    }
  const spec = result.data
  return {
    spec,
    found: [...kind.check(spec, contract), ...checkOperations(spec, contract)],
  }
}

const isPath =
  ' An operation has an id, such as "plants.list": "greenhouse-mock routes" shows the ids of paths.'

/** Reports an `on` that matches no operation, because the effect would never act. */
function checkOperations(
  specs: unknown,
  { operations, missingAreasNote: missing }: Contract,
): Finding[] {
  if (!Array.isArray(specs)) return []
  const ids = operations.map(({ id }) => id)
  const globs = new Set(ids.map((id) => `${id.split('.')[0]}.*`))
  return specs.flatMap(({ on = [] }: { on?: string | string[] }, index) =>
    [on].flat().flatMap((pattern, position) => {
      if (ids.some(globFilter(pattern))) return []
      const message =
        describeProblem(`no operation is called ${quote(pattern)}`, pattern, [...ids, ...globs]) +
        (pattern.includes('/') ? isPath : missing)
      return [
        {
          path: [index, 'on', ...(Array.isArray(on) ? [position] : [])],
          message,
        },
      ]
    }),
  )
}

export const scenarioNamePattern = /^[a-z0-9-]+$/

const text = z.string().check(z.regex(/\S/, 'is blank: expected some words'))

/**
 * Names that no option can have, because they mean something else next to the options in `{ name:
 * 'slow', ms: 800 }`.
 */
const taken = ['name', 'options']

const optionName = z.string().check(
  z.regex(
    /^[a-z][a-z0-9-]*$/,
    'the name of an option must consist of a-z, 0-9 and "-", and begin with a letter',
  ),
  z.refine((name) => !taken.includes(name), {
    error: ({ input }) =>
      `an option can't be called "${String(input)}": the word has a meaning of its own in { name: "slow", ms: 800 }`,
  }),
)

const title = text.check(z.regex(/^[^\r\n]*$/, 'expected a single line'))

export const titleSchema = title.check(z.maxLength(200, 'expected at most 200 characters'))

export const headSchema = z.object({
  title: described(title, 'The situation in a few words.'),
  description: described(text, 'What happens, to whom, and when it ends.'),
  covers: described(text, 'What it tests in a client.'),
  tags: optional(
    z
      .array(
        z.string().check(z.regex(/^[a-z0-9-]+$/, 'expected a word of a-z, 0-9 and "-"')),
        'expected a list of words',
      )
      .check(z.minLength(1)),
    'Search words, such as "429" or retry.',
  ),
  options: optional(
    z.record(optionName, optionSchema),
    'Options by name. The value replaces ${name} in strings of effects.',
  ),
})

export type ScenarioFile = z.infer<typeof headSchema> & Record<string, unknown>
