import { worldName, worldNameRule } from '../core/http/urls.ts'
import * as z from 'zod/mini'
import { isObject } from '../core/contract/options.ts'
import { anyTexts, anyInteger, anyText, described } from '../core/contract/zod.ts'
import { DataError, type Problem } from '../core/contract/problem.ts'
import { readBySchema } from '../core/store/validation-message.ts'
import { isTime } from '../core/time/time-text.ts'
import { toYamlLines, toYamlText } from '../output/yaml-text.ts'
import { base64, headerToken } from '../scenarios/language/fields.ts'
import { scenarioNamePattern } from '../scenarios/language/schema.ts'
import type { Case, CaseStep } from './generated/case.ts'

export const caseVersion = 1

export const caseTime = z.string().check(
  z.refine((text) => isTime(text), { error: 'expected a time such as 2026-01-31T12:00:00Z' }),
  z.describe('ISO 8601, on the clock of the world'),
)
const textMatching = (pattern: RegExp, expected: string) =>
  z.string().check(z.regex(pattern, { error: `expected ${expected}` }))
const scenarioName = textMatching(
  scenarioNamePattern,
  'the name of a scenario, of a-z, 0-9 and "-"',
)
const dottedName = textMatching(
  /^[a-z][\w-]*(\.[a-z][\w-]*)*$/i,
  'a name of letters, digits, "_", "-" and "."',
)
const expectedScenario =
  'expected a scenario as text, such as "slow:ms=800", an object with "name" and its options, or an inline scenario, such as {"respond": [{"on": "apps.list", "status": 500}]}'

const isNotEmpty = z.refine<object>((given) => Object.keys(given).length > 0, expectedScenario)

/**
 * A scenario that somebody asks a running world for: `name:option=value`, `{ name, …options }`, or
 * an inline scenario. The world checks the name and the options.
 */
export const scenarioChoice = z.union(
  [z.string(), z.looseObject({ name: z.optional(z.string()) }).check(isNotEmpty)],
  expectedScenario,
)
/**
 * A scenario: text, such as `slow:ms=800`, an object with its name and options, or an inline
 * scenario.
 */
const caseScenarioSchema = z.union(
  [
    textMatching(/^\s*[a-z0-9-]+\s*(:|$)/, 'the name of a scenario'),
    z
      .looseObject({
        name: z.optional(scenarioName),
        title: z.optional(anyText),
      })
      .check(isNotEmpty),
  ],
  expectedScenario,
)
const scenarioList = z.array(caseScenarioSchema)
const record = z.looseObject({})
const recordKey = z.union([anyText, z.number(), z.bigint()])

/** Returns fields that may be absent. */
function optionalFields<Fields extends z.core.$ZodLooseShape>(fields: Fields) {
  return z.partial(z.object(fields)).shape
}

const headerName = textMatching(headerToken, 'the name of a header')
// eslint-disable-next-line no-control-regex
const headerValue = textMatching(/^[^\x00-\x08\x0a-\x1f\x7f]*$/, 'a value in one line')
const headers = z.record(headerName, z.union([headerValue, z.array(headerValue)]))

/** A body: at most one of these. */
export const caseContentSchema = z.partial(
  z.strictObject({
    body: described(z.unknown(), 'The body, as JSON'),
    text: described(anyText, 'The body, if it is not JSON as Greenhouse writes it'),
    bytes: described(base64, 'The body in base64, if it is not text'),
  }),
)

/** A reply. */
export const caseReplySchema = z.strictObject({
  status: z
    .int()
    .check(z.gte(0), z.lte(599), z.describe('0: the connection ended without a reply')),
  headers: z.optional(headers),
  ...caseContentSchema.shape,
})

/** One thing that happened: a request, or a change of the world. */
export const caseStepSchema = z.strictObject({
  ...optionalFields({
    /** The world's time: ISO 8601. The clock is set to it first. */
    at: caseTime,
    /** Method and target: `GET /v1/apps?limit=2`. */
    request: textMatching(
      /^[\w!#$%&'*+.^`|~-]+ \/\S*$/,
      'a method and a path, such as "GET /v1/apps?limit=2"',
    ),
    /** Headers of the request. A fingerprint, `fp_…`, stands for a secret. */
    headers,
  }),
  ...caseContentSchema.shape,
  ...optionalFields({
    /** The reply to compare with. */
    reply: caseReplySchema,
    /** For readers: the operation. */
    operation: dottedName,
    /**
     * The origin of the real service that answered. A scenario at the start of the case gives its
     * replies again.
     */
    answered_by: anyText,
    /** For readers: why the reply is an error, or how a scenario changed it. */
    reason: anyText,
    /** For readers: how the request breaks the contract. */
    mistakes: anyTexts,
    use: scenarioList,
    /** The position of the scenarios in `use` among the active ones; the end by default. */
    place: anyInteger,
    use_only: scenarioList,
    /** The scenario to switch off; `true` for all. */
    clear: z.union([scenarioName, z.literal(true)], {
      error: 'expected the name of a scenario, or true for all',
    }),
    assume: z.record(dottedName, anyText),
    clock: z.strictObject({
      now: caseTime,
      frozen: z.optional(z.boolean()),
    }),
    /** Creates or replaces a record, in the form of fixtures. */
    put: z.strictObject({
      collection: dottedName,
      record,
      place: z.optional(anyInteger),
    }),
    remove: z.strictObject({
      collection: dottedName,
      key: recordKey,
    }),
    /** Replaces all records of a collection. */
    replace: z.strictObject({
      collection: dottedName,
      records: z.array(record),
    }),
    refill: z.strictObject({
      account: anyText,
      window: z.optional(z.enum(['minute', 'day'])),
    }),
    create_key: z.strictObject({
      account: anyText,
      ...optionalFields({
        scopes: anyTexts,
        expires_at: anyText,
        revoked: z.boolean(),
      }),
    }),
    trigger: z.strictObject({
      type: dottedName,
      ...optionalFields({
        data: record,
        account: anyText,
        app: anyText,
      }),
    }),
    /** The delivery to send again. */
    redeliver: anyText,
    snapshot: anyText,
    restore: anyText,
    /** The answer of a webhook's receiver; `latency` is in milliseconds. */
    answer: z.strictObject({
      delivery: anyText,
      status: z.nullable(anyInteger),
      error: z.nullable(anyText),
      response: z.nullable(anyText),
      latency: z.number(),
    }),
  }),
})

/** The fields that only describe a step. Each of the others is an action: what the step does. */
const stepDetails = [
  'at',
  'headers',
  'body',
  'text',
  'bytes',
  'reply',
  'operation',
  'answered_by',
  'reason',
  'mistakes',
  'place',
]

/** The names of the fields of which a step has exactly one, such as `request`, `use` and `put`. */
export const stepActions = (Object.keys(caseStepSchema.shape) as (keyof CaseStep)[]).filter(
  (name) => !stepDetails.includes(name),
)

const quotaWindow = z.strictObject({
  used: anyInteger,
  remaining: anyInteger,
  resets_at: anyText,
})

/** The starting records of a collection that differ from the fixtures, in the form of fixtures. */
export const caseRecordsSchema = z.partial(
  z.strictObject({
    /** All records, instead of those of the fixtures. */
    replace: z.array(record),
    /** Records to add, or to put in the place of those with the same key. */
    put: z.array(record),
    /** Keys of records to leave out. */
    remove: z.array(recordKey),
  }),
)

/** Where a world starts. What is absent is as `createGreenhouse` has it. */
export const caseStartSchema = z.partial(
  z.strictObject({
    seed: anyInteger,
    /**
     * How often a server or a page continued from this state. Each time, new ids and secrets are
     * different.
     */
    restarts: anyInteger,
    now: caseTime,
    frozen: z.boolean(),
    /** The fixtures that `records` differ from. */
    fixtures: z.literal('default'),
    /** The time that times of fixtures are relative to, if it is not `now`. */
    fixtures_at: caseTime,
    records: z.record(dottedName, caseRecordsSchema),
    assumptions: z.record(dottedName, anyText),
    scenarios: scenarioList,
    /** Scenarios of your own, by name, in the form of scenario files. */
    own_scenarios: z.record(scenarioName, record),
    settings: z.partial(
      z.strictObject({
        trace: z.boolean(),
        strict: z.boolean(),
        cors: anyTexts,
      }),
    ),
  }),
)

/**
 * A situation in one file: where a world starts, what was asked, and what it replied. `case replay`
 * plays it again.
 */
export const caseSchema: z.ZodMiniType<Case> = z.strictObject({
  case: described(z.literal(caseVersion), 'The version of this format'),
  ...optionalFields({
    /** One line about the situation. */
    title: anyText,
    world: described(
      textMatching(worldName, worldNameRule),
      'The name of the world; default if absent',
    ),
    made: z.strictObject({
      by: anyText,
      at: caseTime,
    }),
    incomplete: described(anyText, 'Why the case cannot be replayed'),
    exact: described(
      z.boolean(),
      'Whether replies are complete; otherwise only the parts that they have are compared',
    ),
    start: caseStartSchema,
    steps: z.array(caseStepSchema),
    /** For readers: the quotas that are used, and what is due next. */
    end: z.strictObject({
      at: caseTime,
      quotas: z.optional(
        z.record(
          z.string(),
          z.partial(
            z.strictObject({
              minute: quotaWindow,
              day: quotaWindow,
            }),
          ),
        ),
      ),
      due: z.optional(
        z.array(
          z.strictObject({
            at: caseTime,
            title: anyText,
          }),
        ),
      ),
    }),
  }),
})

/** Returns what is wrong with the data of a file that should be a case. */
export function findCaseProblems(file: string, data: unknown): Problem[] {
  const problem = (message: string, ...path: Problem['path']) => ({
    file,
    path,
    message,
  })
  if (!isObject(data)) return [problem('expected a case, which begins with "case: 1"')]
  const { case: version } = data
  if (version === undefined) return [problem('is missing: a case begins with "case: 1"', 'case')]
  if (version !== caseVersion)
    return [problem(`expected ${caseVersion}: this version of Greenhouse reads no other`, 'case')]
  const read = readBySchema(caseSchema, data, 'case')
  if (!('data' in read)) return read.findings.map((finding) => ({ file, ...finding }))
  const { steps = [] } = read.data
  return steps.flatMap((step, index) => {
    const message = findStepMistake(step)
    if (message !== undefined) return [problem(message, 'steps', index)]
    if (step.reply === undefined || step.request !== undefined) return []
    return [problem('belongs to a request: this step has none', 'steps', index, 'reply')]
  })
}

/** Says what is wrong with a step whose fields are right, each by itself. */
function findStepMistake(step: CaseStep): string | undefined {
  const actions = stepActions.filter((action) => step[action] !== undefined)
  if (actions.length === 0) return `does nothing: expected one of ${stepActions.join(', ')}`
  if (actions.length > 1) return `does ${actions.join(' and ')}: make each a step of its own`
  const hasTwoBodies = [step, step.reply ?? {}].some(
    ({ body, text, bytes }) => [body, text, bytes].filter((part) => part !== undefined).length > 1,
  )
  if (hasTwoBodies) return 'has two bodies: keep one of body, text and bytes'
  return undefined
}

export function assertCase(data: unknown, file = 'case'): asserts data is Case {
  const problems = findCaseProblems(file, data)
  if (problems.length > 0) throw new DataError('the case', problems)
}

/** Matches the fingerprints of secrets in a text. */
export const fingerprintPattern = /\bfp_[0-9a-f]{12}\b/g

/** Splits the `request` of a step: `GET /v1/apps?limit=2`. */
export function splitRequest({ request = '' }: CaseStep): [method: string, target: string] {
  const space = request.indexOf(' ')
  return [request.slice(0, space), request.slice(space + 1)]
}

/** Returns a step without its reply, and what explains the reply. */
export function withoutOutcome(step: CaseStep): CaseStep {
  const { reply: _, operation: _operation, reason: _reason, mistakes: _mistakes, ...rest } = step
  return rest
}

const fileHead = [
  '# A case of Greenhouse. Play it again: npx greenhouse-mock case replay FILE',
  '# Look at it: npx greenhouse-mock case show FILE, or npx greenhouse-mock serve --case FILE',
]

/** The members that a case file writes on several lines. Everything else takes one line. */
const multilineMembers = new Set([
  'start',
  'steps',
  'records',
  'own_scenarios',
  'reply',
  'end',
  'due',
  'replace',
  'put',
])

/**
 * Writes a case as YAML, with the parts of a step on lines of their own. 64-bit integers stay
 * exact.
 */
export function toCaseText(given: Case): string {
  // The work that is due at the end has a time, too, and a title: it takes one line.
  const isStep = (item: object) => 'at' in item && !('title' in item)
  const lines = toYamlLines(given, (name) => multilineMembers.has(name), isStep)
  return [...fileHead, ...lines, ''].join('\n')
}

/** Returns a row of a table for each step of a case. */
export function toTimeline({ steps = [] }: Case) {
  return steps.map((step) => ({
    at: step.at ?? '',
    what: describeStep(step),
    status: String(step.reply?.status ?? ''),
    why: [step.reason, ...listOtherMistakes(step)].filter(Boolean).join(' '),
  }))
}

/** Leaves out a mistake that ends with the reason of the reply: the timeline has the reason. */
function listOtherMistakes({ mistakes = [], reason }: CaseStep): string[] {
  return mistakes.filter((mistake) => reason === undefined || !mistake.endsWith(reason))
}

/** Says what a step does, in one line: some actions have a shorter way than their YAML. */
function describeStep(step: CaseStep): string {
  const { request, put, replace, remove, clock, answer, clear } = step
  if (request !== undefined) return request
  if (put) return `put ${put.collection} ${toYamlText(put.record)}`
  if (replace) return `replace ${replace.collection}: ${replace.records.length} records`
  if (remove) return `remove ${remove.collection} ${remove.key}`
  if (clock) return `clock ${clock.now}${clock.frozen ? ', frozen' : ''}`
  if (answer) return `answer ${answer.status ?? answer.error} to ${answer.delivery}`
  if (clear === true) return 'clear'
  const actions = stepActions.flatMap((action) => {
    const value = step[action]
    if (value === undefined) return []
    const shown = typeof value === 'string' ? value : [value].flat().map(toYamlText).join(', ')
    return [`${action.replaceAll('_', ' ')} ${shown}`]
  })
  return actions.join('; ')
}
