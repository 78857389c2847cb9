import type { Greenhouse } from '../api/greenhouse.ts'
import { readStandIn } from '../api/inspect/collections.ts'
import type { World } from '../api/world.ts'
import { keys } from '../core/accounts/accounts.ts'
import { isObject } from '../core/contract/options.ts'
import { toJson } from '../core/http/json.ts'
import type { Reply } from '../core/http/reply.ts'
import { splitTarget } from '../core/http/request.ts'
import { type ClientBases, toClientUrl } from '../core/http/urls.ts'
import { bodyCap, type JournalRecord, toDurations } from '../core/journal/journal-record.ts'
import { splitWorld } from '../core/pipeline/router.ts'
import { toFingerprint } from '../core/secrets/secret-finder.ts'
import { type CodeForm, languages, type RunnerCode, runners } from '../core/text/code.ts'
import { toLiteral, toVisible } from '../core/text/messages.ts'
import { monotonicNow } from '../core/time/clock.ts'
import { toTimestamp } from '../core/time/time-text.ts'
import { toWritten } from '../fixtures/forms.ts'
import { splitRequest, toBodyText } from './format.ts'
import { replayInto } from './replay.ts'
import { CaseSecrets } from './secrets.ts'
import {
  expectBody,
  indent,
  type TestRunner,
  titleOf,
  toCaseTest,
  toRequestLines,
  toSentHeaders,
} from './test-code.ts'
import { writeRequest } from './world-case.ts'
import type { Case, CaseReply, CaseStart, CaseStep } from './generated/case.ts'

const fingerprint = /\bfp_[\da-f]{12}\b/g

export interface CodeContext {
  readonly greenhouse: Greenhouse
  readonly world: World
  readonly bases: ClientBases
  readonly pause: () => Promise<void>
}

/** Returns code, and what it cannot know: a test has these notes in its first lines. */
export async function toRequestCode(context: CodeContext, record: JournalRecord, form: CodeForm) {
  const { world, bases } = context
  const step = writeRequest(record, new CaseSecrets(world.core))
  if (form in runners) return toTest(context, record, step, form as TestRunner)
  const notes = notesOf(record)
  const [method, target] = splitRequest(step)
  const isNamed = target.startsWith('/~') || 'x-greenhouse-world' in (step.headers ?? {})
  const headers = Object.entries(toSentHeaders(step)).map(
    ([name, value]) => [name, value.replace(fingerprint, '$KEY')] as const,
  )
  if (headers.some(([, value]) => value.includes('$KEY')))
    notes.push('Set KEY: the journal keeps no keys.')
  const request = {
    method,
    url: toClientUrl(bases)(target),
    headers:
      world.name === 'default' || isNamed
        ? headers
        : [...headers, ['x-greenhouse-world', world.name] as const],
    body: toBodyText(step),
  }
  return { text: languages[form as keyof typeof languages](request), notes }
}

function notesOf({ isTooLarge, body }: JournalRecord): string[] {
  if (isTooLarge)
    return ['The journal did not keep the body, which was too large: this one is, too.']
  return body && body.length > bodyCap
    ? ['The journal kept only the beginning of the body: complete it.']
    : []
}

/** What a request got after some steps of a world, if that is the reply that it got. */
interface Repeated {
  readonly steps: readonly CaseStep[]
  readonly sent?: Reply | undefined
  /**
   * Whether only the id of what it created is another one, because fewer records were created
   * before.
   */
  readonly hasOtherId?: boolean
}

interface TestRequest {
  readonly step: CaseStep
  readonly start: CaseStart
  readonly runner: TestRunner
  readonly limit: number | undefined
}

/**
 * Returns a test of the request alone, with its world's start and scenarios. If it gets another
 * reply then, earlier requests matter, and the test repeats its case: without what was only read,
 * if the reply is the same.
 */
async function toTest(
  context: CodeContext,
  record: JournalRecord,
  given: CaseStep,
  runner: TestRunner,
) {
  const { greenhouse, world, pause } = context
  const { head, steps: written } = world.toCaseInSteps({ until: record.id })
  const before = [...written].slice(0, -1).map((one) => toPlainStep(one, world.name))
  const { records, restarts, ...start } = { ...head.start, frozen: true }
  const step = { ...toPlainStep(given, world.name), reply: given.reply, reason: given.reason }
  if (record.isTooLarge) step.text = ' '.repeat(greenhouse.bodyLimit + 1)
  const { wait } = toDurations(record, monotonicNow())
  const limit = wait > 3_000 ? 60_000 + Math.round(wait) : undefined
  const asked = { step, start, runner, limit }
  const notes = [...notesOf(record), ...describeOptions(greenhouse)]
  const toAnswer = (code: string) => ({
    text: notes.map((note) => `// ${toVisible(note)}\n`).join('') + code,
    notes,
  })

  const twin = greenhouse.twin({
    seed: world.core.start.seed,
    now: world.core.start.initialRecordsAt,
  })
  const repeat = (startOfCase: CaseStart, steps: readonly CaseStep[]) =>
    repeatRequest({ case: 1, start: startOfCase, steps: [...steps, step] }, twin, pause)
  try {
    const switches = before.filter(isSwitch)
    const alone = await repeat(start, switches)
    if (alone) return toAnswer(toShortTest(asked, alone))
    const why = head.incomplete
    if (why !== undefined) {
      notes.push(
        `Alone, this request gets another reply: arrange what it needs. There is no case of it: ${why}.`,
      )
      return toAnswer(toShortTest(asked, { steps: switches }))
    }
    const whole = { ...start, records, restarts }
    const writes = before.filter(({ request = '' }) => !/^(GET|HEAD) /.test(request))
    const repeated = (await repeat(whole, writes)) ??
      (await repeat(whole, before)) ?? { steps: before }
    const own = additionsOf(greenhouse)
    return toAnswer(toLongTest({ ...asked, start: whole }, repeated, twin.world(), own))
  } finally {
    twin.close()
  }
}

/** Returns a step without its reply, as the world `default` would be asked. */
function toPlainStep(given: CaseStep, world: string): CaseStep {
  const {
    reply: _reply,
    operation: _operation,
    reason: _reason,
    mistakes: _mistakes,
    ...step
  } = given
  if (step.request === undefined) return step
  const [method, target] = splitRequest(step)
  const [path, search] = splitTarget(target)
  const headers = Object.entries(toSentHeaders(step))
    .filter(([name]) => !/^x-greenhouse-world$/i.test(name))
    .map(([name, value]) => [name, value.replace(`@${world}`, '')])
  const request = `${method} ${splitWorld(path).path}${search && `?${search}`}`
  return { ...step, request, headers: Object.fromEntries(headers) }
}

function isSwitch({ use, use_only, clear, assume, place }: CaseStep): boolean {
  return (use ?? use_only ?? clear ?? assume) !== undefined && place === undefined
}

/**
 * Plays a case whose last step is the request. Returns nothing if the reply is another one, or its
 * reason.
 */
async function repeatRequest(
  given: Case,
  twin: Greenhouse,
  pause: () => Promise<void>,
): Promise<Repeated | undefined> {
  const { reply: expected, reason, request } = given.steps!.at(-1)!
  try {
    const { steps, last } = await replayInto(given, twin, twin.world(), pause)
    const got = steps.at(-1)!
    const reply = got.reply!
    const isReplayed = ({ headers = {} }: CaseReply) => 'Idempotent-Replayed' in headers
    if (reply.status !== expected!.status || isReplayed(reply) !== isReplayed(expected!))
      return undefined
    if (mask(got.reason) !== mask(reason)) return undefined
    const repeated = { steps: given.steps!.slice(0, -1), sent: last }
    if (mask(toBodyText(reply)) === mask(toBodyText(expected!))) return repeated
    const isCreation =
      request!.startsWith('POST ') && isObject(reply.body) && isObject(expected!.body)
    const isSame =
      isCreation && mask({ ...reply.body!, id: '' }) === mask({ ...expected!.body!, id: '' })
    return isSame ? { ...repeated, hasOtherId: true } : undefined
  } catch {
    return undefined
  }
}

/** Returns a value as text, without what differs in every world. */
function mask(value: unknown): string {
  const text = typeof value === 'string' ? value : toJson(value ?? null)
  return text.replace(/\b(fp_[\da-f]{12}|req_[a-z0-9]{16})\b/g, '')
}

/** Returns a test that gets a world from its runner, and switches its scenarios and assumptions. */
function toShortTest(
  { step, start, runner, limit }: TestRequest,
  { steps, ...repeated }: Repeated,
): string {
  const code = runners[runner]
  const { seed, now, fixtures_at = now, scenarios, assumptions, own_scenarios } = start
  const options = toLiteral({ seed, now: fixtures_at, frozen: true, scenarios: own_scenarios })
  const switches = toSwitchLines(
    [{ use: scenarios }, { assume: assumptions }, ...steps, { at: step.at }],
    fixtures_at,
  )
  const lines = [
    ...switches,
    ...toRequestLines(step, toUrl(step), code),
    ...(repeated.sent ? expectReply(step, repeated, code) : []),
  ]
  const { line, argument = '' } = limit === undefined ? {} : code.limit(limit)
  const fixtures = switches.length > 0 ? '{ world, api }' : '{ api }'
  const title = toLiteral(titleOf(step))
  const test = code.hasFixtures
    ? `test(${title}, async (${fixtures}) => {\n${indent(lines, '  ')}}${argument})`
    : `test(\n  ${title},\n  withWorld(async (${fixtures}) => {\n${indent(lines, '    ')}  })${argument},\n)`
  return `${code.toHead(options)}\n\n${line === undefined ? '' : `${line}\n`}${test}\n`
}

function toSwitchLines(steps: readonly CaseStep[], start: string | undefined): string[] {
  const lines: string[] = []
  let time = start
  for (const { at = time, use, use_only, clear, assume } of steps) {
    if (at !== time) lines.push(`world.clock.set(${toLiteral(at)})`)
    time = at
    if (clear !== undefined || use_only)
      lines.push(`world.clear(${clear === true || use_only ? '' : toLiteral(clear)})`)
    for (const choice of use ?? use_only ?? []) lines.push(`world.use(${toLiteral(choice)})`)
    if (assume) lines.push(`world.assume(${toLiteral(assume)})`)
  }
  return lines
}

function toUrl(step: CaseStep): string {
  const [, target] = splitRequest(step)
  return /^\/v1(?![^/?])/.test(target)
    ? `api.appsUrl + ${toLiteral(target.slice(3))}`
    : `api.plantsUrl + ${toLiteral(target)}`
}

/** Returns a test that repeats the case of the request. @param world after the request */
function toLongTest(
  asked: TestRequest,
  repeated: Repeated,
  world: World,
  own: readonly string[],
): string {
  const { step, start, runner, limit } = asked
  const code = runners[runner]
  const { request, put } = withShownKey(step, world)
  const steps = [...repeated.steps, { clock: { now: step.at!, frozen: true } }, ...put]
  const additions = own.length > 0 ? `, { ${own.join(', ')} }` : ''
  const [, target] = splitRequest(step)
  return toCaseTest({
    title: titleOf(step),
    code,
    limit: limit ?? 60_000,
    own,
    load: [],
    start: [
      `const { greenhouse } = await replayCase(${toLiteral({ case: 1, start, steps })}${additions})`,
    ],
    body: [
      ...toRequestLines(request, `server.url + ${toLiteral(target)}`, code),
      ...expectReply(step, repeated, code),
    ],
  })
}

/** A test shows no secret: it gives a key without a plain name a copy with one. */
function withShownKey(step: CaseStep, { core }: World): { request: CaseStep; put: CaseStep[] } {
  const headers = toJson(step.headers ?? {})
  const fingerprintOf = (secret: string) => readStandIn(secret) ?? toFingerprint(secret)
  const key = core
    .collection(keys)
    .all()
    .find(({ secret }) => headers.includes(fingerprintOf(secret)))
  if (!key) return { request: step, put: [] }
  const shown = headers.replaceAll(fingerprintOf(key.secret), 'key_copied')
  const record = toWritten(keys, { ...key, secret: 'key_copied' }, toTimestamp(step.at!))
  return {
    request: { ...step, headers: JSON.parse(shown) },
    put: [{ put: { collection: 'keys', record: record as Record<string, unknown> } }],
  }
}

function expectReply(
  { reply }: CaseStep,
  { sent, hasOtherId }: Omit<Repeated, 'steps'>,
  code: RunnerCode,
): string[] {
  const { body } = reply!
  const names = isObject(body) ? Object.keys(body) : []
  const hidden = names.filter(
    (name) => toJson((body as Record<string, unknown>)[name]).search(fingerprint) >= 0,
  )
  return expectBody(reply, sent, code, hasOtherId ? ['id', ...hidden] : hidden)
}

const additions = ['operations', 'collections', 'plugins', 'plans'] as const

/** Returns what a test gets from the same configuration file. */
function additionsOf({ options, files }: Greenhouse): string[] {
  return files.config === undefined ? [] : additions.filter((name) => options[name]?.length)
}

/**
 * What a Greenhouse has that the `test` of another process has only with the same configuration
 * file.
 */
function describeOptions({ options, files }: Greenhouse): string[] {
  if (files.config !== undefined) return []
  const own = ([...additions, 'areas', 'strict'] as const).filter((name) =>
    Array.isArray(options[name]) ? options[name].length > 0 : options[name],
  )
  if (own.length === 0) return []
  return [
    `This Greenhouse was started with its own ${own.join(', ')}: add the same to its options below.`,
  ]
}
