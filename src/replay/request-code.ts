import type { Greenhouse } from '../api/greenhouse.ts'
import type { World } from '../api/world.ts'
import { isPlainFixtureKey, type Key, keys } from '../core/accounts/accounts.ts'
import { splitTarget } from '../core/http/request.ts'
import { bodyCap, type JournalRecord, toDurations } from '../core/journal/journal-record.ts'
import { splitWorld } from '../core/http/address.ts'
import { type CodeForm, languages, type RunnerCode, runners } from '../output/code.ts'
import { toLiteral, toVisible } from '../core/text/messages.ts'
import { monotonicNow } from '../core/time/clock.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { fingerprintPattern, splitRequest, withoutOutcome } from '../cases/format.ts'
import { toBodyText } from '../cases/content.ts'
import { CaseSecrets } from '../cases/secrets.ts'
import { writeRequest } from '../cases/write-step.ts'
import { type ClientBases, toClientUrl } from '../core/http/urls.ts'
import {
  expectBody,
  expectError,
  indent,
  type TestRunner,
  titleOfStep,
  toCaseTest,
  toRequestLines,
  toSentHeaders,
} from './test-code.ts'
import { whyIncomplete } from '../cases/world-case.ts'
import type { CaseStart, CaseStep } from '../cases/generated/case.ts'

interface CodeContext {
  readonly greenhouse: Greenhouse
  readonly world: World
  readonly bases: ClientBases
}

/**
 * Returns a request as code: a command or program of one of `languages`, or a test for one of
 * `runners`. The notes say what the code lacks; a test has them in its first lines, too.
 */
export function toRequestCode(context: CodeContext, record: JournalRecord, form: CodeForm) {
  const notes: string[] = []
  if (record.isTooLarge)
    notes.push('The journal did not keep the body, which was too large: this one is, too.')
  else if (record.body && record.body.length > bodyCap)
    notes.push('The journal kept only the beginning of the body: complete it.')
  if (!(form in runners)) {
    const text = toRequestCommand(context, record, form as keyof typeof languages, notes)
    return { text, notes }
  }
  const { greenhouse, world } = context
  const code = toCopiedTest(greenhouse, world, record, {
    runner: form as TestRunner,
    notes,
  })
  return {
    text: notes.map((note) => `// ${toVisible(note)}\n`).join('') + code,
    notes,
  }
}

/** @param notes gets what the code lacks */
function toRequestCommand(
  { world, bases }: CodeContext,
  record: JournalRecord,
  form: keyof typeof languages,
  notes: string[],
): string {
  const step = writeRequest(record, new CaseSecrets(world.core))
  const [method, target] = splitRequest(step)
  const headers = Object.entries(toSentHeaders(step)).map(([name, value]): [string, string] => [
    name,
    value.replace(fingerprintPattern, '$KEY'),
  ])
  if (headers.some(([, value]) => value.includes('$KEY')))
    notes.push('Set KEY: the journal keeps no keys.')
  const isWorldNamed = target.startsWith('/~') || 'x-greenhouse-world' in (step.headers ?? {})
  if (world.name !== 'default' && !isWorldNamed) headers.push(['x-greenhouse-world', world.name])
  return languages[form]({
    method,
    url: toClientUrl(bases)(target),
    headers,
    body: toBodyText(step),
  })
}

interface CopyOptions {
  readonly runner: TestRunner
  /** A list to which the notes are added that say what the test lacks. */
  readonly notes: string[]
}

interface CopiedRequest {
  /** The request, and its reply. */
  readonly step: CaseStep
  readonly start: CaseStart
  /** The steps before the request that it may depend on. */
  readonly before: readonly CaseStep[]
  readonly code: RunnerCode
  /** The time that the test may take, in milliseconds; absent if the runner's default is enough. */
  readonly limit: number | undefined
  /** Lines that expect the body of the reply. */
  readonly expected: readonly string[]
}

const toIncompleteNote = (why: string) =>
  `What happened before may matter: arrange what this request needs. There is no case of it: ${why}.`

/**
 * Returns a test that sends a request again, and expects the same reply. A short test gets a world
 * from its runner, with the start and the scenarios of the request's world. If something else
 * happened before that matters, a long test replays it as a case.
 */
function toCopiedTest(
  greenhouse: Greenhouse,
  world: World,
  record: JournalRecord,
  { runner, notes }: CopyOptions,
): string {
  const { core } = world
  const past = core.journal.records().filter(({ id }) => id <= record.id)
  const isRepeated = selectRequests(greenhouse, past)
  const { start: given, steps = [] } = world.writeCase({
    until: record.id,
    isIncluded: isRepeated,
    names: nameKeys(core, record),
  })
  const plainSteps = Array.from(steps, (each) => toPlainStep(each, world.name))
  // The case ends with the request itself.
  const step = plainSteps.pop()!
  if (record.isTooLarge) step.text = ' '.repeat(greenhouse.bodyLimit + 1)
  const before = withoutUnusedSnapshots(plainSteps.map(withoutOutcome))
  const start = {
    ...given,
    frozen: true,
  }
  const earlier = past.filter((other) => other !== record && isRepeated(other))
  const incomplete = whyIncomplete(core, earlier)
  const { wait } = toDurations(record, monotonicNow())
  const code = runners[runner]
  const copied: CopiedRequest = {
    step,
    start,
    before,
    code,
    // Runners stop a test after 5 seconds by default.
    limit: wait > 3_000 ? 60_000 + Math.round(wait) : undefined,
    expected: [],
  }
  notes.push(...describeMissingOptions(greenhouse))
  if (incomplete !== undefined) {
    notes.push(toIncompleteNote(incomplete))
    return toShortTest({
      ...copied,
      before: before.filter(isSwitch),
    })
  }
  const expected = expectReply(step, record, code)
  const isPastSimple = before.every(isSwitch) && !start.records && !start.restarts
  if (isPastSimple) return toShortTest({ ...copied, expected })
  return toLongTest({ ...copied, expected }, additionsOf(greenhouse))
}

/**
 * Returns which requests a test repeats: all that may have changed records, and also those that
 * only read if their number matters, because a quota or a scenario counts them.
 */
function selectRequests(
  { catalogue: { operations } }: Greenhouse,
  past: readonly JournalRecord[],
): (record: JournalRecord) => boolean {
  const last = past.at(-1)
  const writing = new Set<string | undefined>(
    operations.filter(({ writes }) => writes).map(({ id }) => id),
  )
  const isKept = (record: JournalRecord) => record === last || writing.has(record.operation)
  const doReadsMatter = past.some(
    (record) =>
      isKept(record) && (record.status === 429 || record.verdicts?.dependsOnOthers === true),
  )
  return doReadsMatter ? () => true : isKept
}

/**
 * Returns names for the keys that have no plain one, because a test shows no secret. The key of the
 * request comes first.
 */
function nameKeys(world: LiveWorld, { headers }: JournalRecord): Map<string, string> {
  const added = world.state.history.changes.flatMap(({ change }): readonly Partial<Key>[] => {
    if ('create_key' in change) return [change.create_key]
    if ('put' in change && change.put.collection === 'keys') return [change.put.record]
    if ('replace' in change && change.replace.collection === 'keys') return change.replace.records
    return []
  })
  const all = [...world.initialRecordsOf(keys).all(), ...added, ...world.collection(keys).all()]
  const secrets = [...new Set(all.flatMap(({ secret }) => secret ?? []))]
  const sent = String(headers['authorization'])
  const unnamed = secrets.filter((secret) => !isPlainFixtureKey(world, secret))
  unnamed.sort((one, other) => Number(sent.includes(other)) - Number(sent.includes(one)))
  return new Map(
    unnamed.map((secret, index) => [
      secret,
      index === 0 ? 'key_copied' : `key_copied_${index + 1}`,
    ]),
  )
}

/** Leaves out the snapshots that no step restores: they change nothing. */
function withoutUnusedSnapshots(steps: readonly CaseStep[]): readonly CaseStep[] {
  const restored = new Set(steps.map(({ restore }) => restore))
  return steps.filter(({ snapshot }) => snapshot === undefined || restored.has(snapshot))
}

/** Returns a step with its request as it would be sent to the world `default`. */
function toPlainStep(step: CaseStep, world: string): CaseStep {
  if (step.request === undefined) return step
  const [method, target] = splitRequest(step)
  const [path, search] = splitTarget(target)
  const headers = Object.entries(toSentHeaders(step))
    .filter(([name]) => !/^x-greenhouse-world$/i.test(name))
    .map(([name, value]) => [name, value.replace(`@${world}`, '')])
  const request = `${method} ${splitWorld(path).path}${search && `?${search}`}`
  return {
    ...step,
    request,
    headers: Object.fromEntries(headers),
  }
}

/** Returns whether a step changes no more than scenarios, assumptions or the clock. */
function isSwitch({ use, use_only, clear, assume, clock, place }: CaseStep): boolean {
  return (use ?? use_only ?? clear ?? assume ?? clock) !== undefined && place === undefined
}

/** Returns a test that gets a world from its runner, and switches its scenarios and assumptions. */
function toShortTest({ step, start, before, code, limit, expected }: CopiedRequest): string {
  const { seed, now, fixtures_at = now, scenarios, assumptions, own_scenarios } = start
  const options = toLiteral({
    seed,
    now: fixtures_at,
    frozen: true,
    scenarios: own_scenarios,
  })
  const switches = toSwitchLines(
    [{ use: scenarios }, { assume: assumptions }, ...before, { at: step.at }],
    fixtures_at,
  )
  const lines = [...switches, ...toRequestLines(step, toUrlCode(step), code), ...expected]
  const { line, argument = '' } = limit === undefined ? {} : code.limit(limit)
  const fixtures = switches.length > 0 ? '{ world, api }' : '{ api }'
  const title = toLiteral(titleOfStep(step))
  const test = code.hasFixtures
    ? `test(${title}, async (${fixtures}) => {\n${indent(lines, '  ')}}${argument})`
    : `test(\n  ${title},\n  withWorld(async (${fixtures}) => {\n${indent(lines, '    ')}  })${argument},\n)`
  return `${code.toHead(options)}\n\n${line === undefined ? '' : `${line}\n`}${test}\n`
}

/** Returns the lines of code that do the same as steps that `isSwitch` accepts. */
function toSwitchLines(steps: readonly CaseStep[], start: string | undefined): string[] {
  const lines: string[] = []
  let time = start
  for (const { clock, at, use, use_only, clear, assume } of steps) {
    const next = clock?.now ?? at ?? time
    if (next !== time) lines.push(`world.clock.set(${toLiteral(next)})`)
    time = next
    if (use_only || clear === true) lines.push('world.clear()')
    else if (clear !== undefined) lines.push(`world.clear(${toLiteral(clear)})`)
    for (const choice of use ?? use_only ?? []) lines.push(`world.use(${toLiteral(choice)})`)
    if (assume) lines.push(`world.assume(${toLiteral(assume)})`)
  }
  return lines
}

function toUrlCode(step: CaseStep): string {
  const [, target] = splitRequest(step)
  if (/^\/v1(?![^/?])/.test(target)) return `api.appsUrl + ${toLiteral(target.slice(3))}`
  return `api.plantsUrl + ${toLiteral(target)}`
}

/**
 * Returns a test that replays the case of the request.
 * @param own the names of what the configuration file adds: `operations`
 */
function toLongTest(
  { step, start, before, code, limit = 60_000, expected }: CopiedRequest,
  own: readonly string[],
): string {
  const steps = [
    ...before,
    {
      clock: {
        now: step.at!,
        frozen: true,
      },
    },
  ]
  const secondArgument = own.length > 0 ? `, { ${own.join(', ')} }` : ''
  const [, target] = splitRequest(step)
  return toCaseTest({
    title: titleOfStep(step),
    code,
    limit,
    own,
    load: [],
    start: [
      `const { greenhouse } = await replayCase(${toLiteral({
        case: 1,
        start,
        steps,
      })}${secondArgument})`,
    ],
    body: [...toRequestLines(step, `server.url + ${toLiteral(target)}`, code), ...expected],
  })
}

/** Expects the body of a reply, as far as it was sent. */
function expectReply(
  { reply }: CaseStep,
  { aborted, sent }: JournalRecord,
  code: RunnerCode,
): string[] {
  return expectError(reply, code) ?? expectBody(reply, aborted ? sent : Infinity, code)
}

const additionNames = ['operations', 'collections', 'plugins', 'plans'] as const

/** Returns the names of what a test gets from the same configuration file. */
function additionsOf({ options, files }: Greenhouse): string[] {
  if (files.config === undefined) return []
  return additionNames.filter((name) => options[name]?.length)
}

/**
 * Says what a Greenhouse has that the `test` of another process has only with the same
 * configuration file.
 */
function describeMissingOptions({ options, files }: Greenhouse): string[] {
  if (files.config !== undefined) return []
  const own = ([...additionNames, 'areas', 'strict'] as const).filter((name) => {
    const value = options[name]
    if (Array.isArray(value)) return value.length > 0
    return value
  })
  if (own.length === 0) return []
  return [
    `This Greenhouse was started with its own ${own.join(', ')}: add the same to its options below.`,
  ]
}
