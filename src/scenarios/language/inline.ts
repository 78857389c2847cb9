import * as z from 'zod/mini'
import { isObject } from '../../core/contract/options.ts'
import { describeProblem, showValue } from '../../core/text/messages.ts'
import type { Contract } from '../../core/pipeline/area.ts'
import { byteSizeOf } from '../../core/store/memory.ts'
import { freezeRecord } from '../../core/store/record-index.ts'
import {
  type InlineScenarioError,
  type InlineSource,
  type ParsedChoice,
  toInlineName,
} from '../../core/world/scenario-choice.ts'
import type { ParsedEffects } from './effect-kind.ts'
import { type Finding, readBySchema } from '../../core/store/validation-message.ts'
import { defaultsOf, fillIn } from './options.ts'
import { toMistakesError, toPlainData } from './plain-data.ts'
import {
  effectKinds,
  effectsOf,
  readEffects,
  type ScenarioFile,
  titleSchema,
  whyNoEffects,
} from './schema.ts'
import type { Fields } from '../../core/text/values.ts'

const largest = 2 ** 20

/** The fields of an inline scenario; a `name` is that of a scenario that is known by it. */
const members = ['title', ...effectKinds.map(({ name }) => name), 'name']

const inlineHead = z.object({ title: z.optional(titleSchema) })

const known = new WeakMap<
  object,
  {
    readonly effects: ParsedEffects
    readonly given: WeakRef<object>
  }
>()

/**
 * @param toName returns a name for a scenario without a title. @throws InlineScenarioError with
 * every mistake and its path
 */
export function readInline(given: object, toName: () => string, contract: Contract): ParsedChoice {
  const findings: Finding[] = []
  const data = toPlainData(given, findings)
  if (!isObject(data)) {
    // A `toJSON` may make anything.
    if (findings.length === 0)
      findings.push({
        path: [],
        message: `expected a mapping, received ${showValue(data)}`,
      })
    throw toMistakesError(given, findings)
  }
  findings.push(...checkMembers(data, members), ...readBySchema(inlineHead, data).findings)
  const { effects, findings: found } = readEffects(data, contract)
  findings.push(...found.filter((finding) => !isReported(finding, findings)))
  // Twice, because both the original and the parsed form are stored.
  const bytes = 2 * byteSizeOf(data)
  if (bytes > largest)
    findings.push({
      path: [],
      message: `it takes ${bytes} bytes of memory: expected at most ${largest}`,
    })
  if (findings.length > 0) throw toMistakesError(given, findings)
  const name = Object.hasOwn(data, 'title') ? toInlineName(data['title'] as string) : toName()
  const inline: InlineSource = {
    data: freezeRecord({
      title: name,
      ...data,
    }),
    bytes,
  }
  known.set(inline.data, {
    effects,
    given: new WeakRef(given),
  })
  return {
    name,
    options: {},
    inline,
  }
}

/** Finds the fields that a scenario does not have; without any, whether it has no effects. */
export function checkMembers(data: Fields, known: readonly string[]): Finding[] {
  const findings = Object.keys(data)
    .filter((member) => !known.includes(member))
    .map((member): Finding => ({
      path: [member],
      message: describeProblem('there is no such field', member, known, true),
    }))
  const nothing = whyNoEffects(data)
  if (findings.length === 0 && nothing !== undefined)
    findings.push({
      path: [],
      message: nothing,
    })
  return findings
}

export function toInlineChoice(file: ScenarioFile): object {
  return {
    title: file.title,
    ...fillIn(effectsOf(file), defaultsOf(file.options ?? {})),
  }
}

export function parsedEffects({ data }: InlineSource): ParsedEffects {
  return known.get(data)?.effects ?? []
}

/** Returns the error for mistakes that only a world shows, such as an unknown account. */
export function toInlineError(
  { data }: InlineSource,
  findings: readonly Finding[],
): InlineScenarioError {
  return toMistakesError(known.get(data)?.given.deref() ?? data, findings)
}

/** Returns whether a mistake, or one of the whole that it is in, is reported already. */
export function isReported({ path }: Finding, findings: readonly Finding[]): boolean {
  return findings.some(
    (finding) => finding.path.length > 0 && finding.path.every((step, at) => step === path[at]),
  )
}
