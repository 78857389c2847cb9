import type { Greenhouse } from '../api/greenhouse.ts'
import type { World } from '../api/world.ts'
import { isPlainFixtureKey, type Key, keys } from '../core/accounts/accounts.ts'
import { splitTarget } from '../core/http/request.ts'
import { type JournalRecord, toDurations } from '../core/journal/journal-record.ts'
import { splitWorld } from '../core/http/address.ts'
import { runners } from '../output/code.ts'
import { toLiteral } from '../core/text/messages.ts'
import { monotonicNow } from '../core/time/clock.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { splitRequest, withoutOutcome } from '../cases/format.ts'
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

interface CopyOptions {
  readonly runner: TestRunner
  /** Gets what the test cannot know. */
  readonly notes: string[]
}

interface CopiedRequest {
  readonly step: CaseStep
  readonly start: CaseStart
  /** What happened before, and matters. */
  readonly before: readonly CaseStep[]
  readonly runner: TestRunner
  readonly limit: number | undefined
  /** Lines that expect the body of the reply. */
  readonly expected: readonly string[]
}

const toIncompleteNote = (why: string) =>
  `What happened before may matter: arrange what this request needs. There is no case of it: ${why}.`

/**
 * Returns a test of a request in its world's start and scenarios. If something changed the world
 * before, the test has the case with those steps.
 */
export function toCopiedTest(
  greenhouse: Greenhouse,
  world: World,
  record: JournalRecord,
  { runner, notes }: CopyOptions,
): string {
  const { core } = world
  const past = core.journal.records().filter(({ id }) => id <= record.id)
  const kept = keepSteps(greenhouse, past)
  const { start: given, steps = [] } = world.writeCase({
    until: record.id,
    isIncluded: kept,
    names: nameKeys(core, record),
  })
  const plain = Array.from(steps, (one) => toPlainStep(one, world.name))
  const step = plain.pop()!
  if (record.isTooLarge) step.text = ' '.repeat(greenhouse.bodyLimit + 1)
  const before = withoutUnusedSnapshots(plain.map(withoutOutcome))
  const start = { ...given, frozen: true }
  const earlier = past.filter((one) => one !== record && kept(one))
  const incomplete = whyIncomplete(core, earlier)
  const { wait } = toDurations(record, monotonicNow())
  const copied: CopiedRequest = {
    step,
    start,
    before,
    runner,
    limit: wait > 3_000 ? 60_000 + Math.round(wait) : undefined,
    expected: [],
  }
  notes.push(...describeOptions(greenhouse))
  if (incomplete !== undefined) {
    notes.push(toIncompleteNote(incomplete))
    return toShortTest({ ...copied, before: before.filter(isSwitch) })
  }
  const expected = expectReply(step, record, runner)
  const isAlone = before.every(isSwitch) && !start.records && !start.restarts
  if (isAlone) return toShortTest({ ...copied, expected })
  return toLongTest({ ...copied, expected }, additionsOf(greenhouse))
}

/**
 * Returns which requests a test repeats: all that may have changed records, and also those that
 * only read if their number matters, because a quota or a scenario counts them.
 */
function keepSteps(
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
  const added = world.history.changes.flatMap(({ change }): readonly Partial<Key>[] => {
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

/** A snapshot that no step restores changes nothing. */
function withoutUnusedSnapshots(steps: readonly CaseStep[]): readonly CaseStep[] {
  const restored = new Set(steps.map(({ restore }) => restore))
  return steps.filter(({ snapshot }) => snapshot === undefined || restored.has(snapshot))
}

/** Returns a step as the world `default` would be asked. */
function toPlainStep(step: CaseStep, world: string): CaseStep {
  if (step.request === undefined) return step
  const [method, target] = splitRequest(step)
  const [path, search] = splitTarget(target)
  const headers = Object.entries(toSentHeaders(step))
    .filter(([name]) => !/^x-greenhouse-world$/i.test(name))
    .map(([name, value]) => [name, value.replace(`@${world}`, '')])
  const request = `${method} ${splitWorld(path).path}${search && `?${search}`}`
  return { ...step, request, headers: Object.fromEntries(headers) }
}

function isSwitch({ use, use_only, clear, assume, clock, place }: CaseStep): boolean {
  return (use ?? use_only ?? clear ?? assume ?? clock) !== undefined && place === undefined
}

/** Returns a test that gets a world from its runner, and switches its scenarios and assumptions. */
function toShortTest({ step, start, before, runner, limit, expected }: CopiedRequest): string {
  const code = runners[runner]
  const { seed, now, fixtures_at = now, scenarios, assumptions, own_scenarios } = start
  const options = toLiteral({ seed, now: fixtures_at, frozen: true, scenarios: own_scenarios })
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

/** Returns a test that repeats the case of the request. */
function toLongTest(
  { step, start, before, runner, limit = 60_000, expected }: CopiedRequest,
  own: readonly string[],
): string {
  const code = runners[runner]
  const steps = [...before, { clock: { now: step.at!, frozen: true } }]
  const additions = own.length > 0 ? `, { ${own.join(', ')} }` : ''
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
      })}${additions})`,
    ],
    body: [...toRequestLines(step, `server.url + ${toLiteral(target)}`, code), ...expected],
  })
}

/** Expects the body of a reply, as far as it was sent. */
function expectReply(
  { reply }: CaseStep,
  { aborted, sent }: JournalRecord,
  runner: TestRunner,
): string[] {
  const code = runners[runner]
  return expectError(reply, code) ?? expectBody(reply, aborted ? sent : Infinity, code)
}

const additions = ['operations', 'collections', 'plugins', 'plans'] as const

/** Returns what a test gets from the same configuration file. */
function additionsOf({ options, files }: Greenhouse): string[] {
  if (files.config === undefined) return []
  return additions.filter((name) => options[name]?.length)
}

/**
 * Says what a Greenhouse has that the `test` of another process has only with the same
 * configuration file.
 */
function describeOptions({ options, files }: Greenhouse): string[] {
  if (files.config !== undefined) return []
  const own = ([...additions, 'areas', 'strict'] as const).filter((name) => {
    const value = options[name]
    if (Array.isArray(value)) return value.length > 0
    return value
  })
  if (own.length === 0) return []
  return [
    `This Greenhouse was started with its own ${own.join(', ')}: add the same to its options below.`,
  ]
}
