import type { Greenhouse } from '../api/greenhouse.ts'
import { allCollections, readStandIn } from '../api/inspect/collections.ts'
import type { World } from '../api/world.ts'
import { hasPlainName, type Key, keys } from '../core/accounts/accounts.ts'
import { type ClientBases, toClientUrl } from '../core/http/urls.ts'
import { toJson } from '../core/http/json.ts'
import type { Reply } from '../core/http/reply.ts'
import { splitTarget } from '../core/http/request.ts'
import { isObject } from '../core/contract/options.ts'
import { bodyCap, type JournalRecord, toDurations } from '../core/journal/journal-record.ts'
import { splitWorld } from '../core/pipeline/router.ts'
import { toFingerprint } from '../core/secrets/secret-finder.ts'
import { type CodeForm, languages, runners } from '../core/text/code.ts'
import { toLiteral, toVisible } from '../core/text/messages.ts'
import { isSame, shrinkList, valueAt } from '../core/text/values.ts'
import { monotonicNow } from '../core/time/clock.ts'
import { toIso, toTimestamp } from '../core/time/time-text.ts'
import { splitRequest, toBodyText } from './format.ts'
import { ask, replayInto } from './replay.ts'
import { CaseSecrets } from './secrets.ts'
import { expectBody, indent, type TestRunner, titleOf, toCall, toRequestLines, toSentHeaders } from './test-code.ts'
import { toChoices, writeRequest } from './world-case.ts'
import type { Case, CaseReply, CaseStep } from './generated/case.ts'

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
  if (headers.some(([, value]) => value.includes('$KEY'))) notes.push('Set KEY: the journal keeps no keys.')
  const request = {
    method,
    url: toClientUrl(bases)(target),
    headers: world.name === 'default' || isNamed ? headers : [...headers, ['x-greenhouse-world', world.name] as const],
    body: toBodyText(step),
  }
  return { text: languages[form as keyof typeof languages](request), notes }
}

function notesOf({ isTooLarge, body, omitted = [] }: JournalRecord): string[] {
  const lost = omitted.filter((part) => part.startsWith('request.'))
  if (isTooLarge) return ['The journal did not keep the body, which was too large: this one is, too.']
  if (lost.includes('request.body')) return ['The journal did not keep the body: add it.']
  if (lost.length > 0) return [`The journal did not keep ${lost.join(', ')}: add what is missing.`]
  return body && body.length > bodyCap ? ['The journal kept only the beginning of the body: complete it.'] : []
}

/** A line of a test that arranges something, and the same for a world here. */
interface Line {
  readonly code: string
  readonly created?: string
  readonly note?: string
  run(world: World): unknown
}

interface Outcome {
  readonly reply: CaseReply
  readonly sent: Reply
  readonly reason: string
}

/** How many arrangements to try, and for how long in milliseconds; then the test stays longer than it could be. */
const [maxTries, maxTime] = [400, 10_000]

async function toTest(context: CodeContext, record: JournalRecord, given: CaseStep, runner: TestRunner) {
  const { greenhouse, world } = context
  const notes = notesOf(record)
  const { seed, initialRecordsAt } = world.core.start
  const twin = greenhouse.twin({ seed, now: initialRecordsAt })
  try {
    const { head, steps: all } = world.toCaseInSteps({ until: record.id })
    const steps = [...all]
    const before = await findWorldBefore(context, { ...head, steps })
    const asked = toAskedStep(given, before.world)
    const step = record.isTooLarge ? { ...asked, text: ' '.repeat(greenhouse.bodyLimit + 1) } : asked
    const trial = createTrial(twin, step, context.pause)
    const found = await arrange(trial, before.world, steps.slice(0, -1))
    before.close()
    const code = runners[runner]
    notes.push(...describeOptions(greenhouse), ...(found.notes ?? []), ...found.lines.flatMap(({ note = [] }) => note))
    const scenarios = ownScenarios(head, [step, ...found.lines.map(({ code }) => code)])
    const options = toLiteral({ seed, now: toIso(initialRecordsAt), frozen: true, ...(scenarios && { scenarios }) })
    const { reply } = step
    const { wait } = toDurations(record, monotonicNow())
    const { line, argument = '' } = wait > 3_000 ? code.limit(60_000 + Math.round(wait)) : {}
    const lines = [
      ...toLoops(found.lines.map(({ code }) => code)),
      ...toRequestLines(step, toUrl(step), code),
      ...(found.outcome ? expectBody(reply, found.outcome.sent, code, [...found.changing, ...findHidden(reply!)]) : []),
    ]
    const fixtures = lines.some((text) => text.includes('world.')) ? '{ world, api }' : '{ api }'
    const title = toLiteral(titleOf(step))
    const test = code.hasFixtures
      ? `test(${title}, async (${fixtures}) => {\n${indent(lines, '  ')}}${argument})`
      : `test(\n  ${title},\n  withWorld(async (${fixtures}) => {\n${indent(lines, '    ')}  })${argument},\n)`
    const text = [
      ...notes.map((note) => `// ${toVisible(note)}\n`),
      code.toHead(options),
      '\n\n',
      ...(line ? [`${line}\n`] : []),
      test,
      '\n',
    ]
    return { text: text.join(''), notes }
  } finally {
    twin.close()
  }
}

/** Returns a world as it was before the last step of a case; if that can't be repeated, the world as it is now. */
async function findWorldBefore({ greenhouse, world, pause }: CodeContext, given: Case) {
  const { seed, initialRecordsAt } = world.core.start
  const other = greenhouse.twin({ seed, now: initialRecordsAt })
  try {
    const former = other.world(world.name)
    await replayInto(given, other, former, pause, given.steps!.length)
    return { world: former, close: () => other.close() }
  } catch {
    other.close()
    return { world, close() {} }
  }
}

/** Returns a request as the test sends it: below the base URL of its world, and with the key that the test creates. */
function toAskedStep(step: CaseStep, before: World): CaseStep {
  const [method, target] = splitRequest(step)
  const [path, search] = splitTarget(target)
  const names = new Map(Array.from(copiedKeys(before), ([key, name]) => [readStandIn(key) ?? toFingerprint(key), name]))
  const headers = Object.entries(toSentHeaders(step))
    .filter(([header]) => !/^x-greenhouse-world$/i.test(header))
    .map(([header, value]) => [
      header,
      value.replace(fingerprint, (found) => names.get(found) ?? found).replace(`@${before.name}`, ''),
    ])
  const request = `${method} ${splitWorld(path).path}${search && `?${search}`}`
  return { ...step, request, headers: Object.fromEntries(headers) }
}

/** The keys that a test must not show, and the names of those that it creates instead. */
function copiedKeys({ core }: World): ReadonlyMap<string, string> {
  const hidden = core
    .collection(keys)
    .all()
    .filter(({ secret }) => !hasPlainName(core, secret))
  return new Map(hidden.map(({ secret }, index) => [secret, index === 0 ? 'key_copied' : `key_copied_${index + 1}`]))
}

function toUrl(step: CaseStep): string {
  const [, target] = splitRequest(step)
  return /^\/v1(?![^/?])/.test(target)
    ? `api.appsUrl + ${toLiteral(target.slice(3))}`
    : `api.plantsUrl + ${toLiteral(target)}`
}

type Trial = ReturnType<typeof createTrial>

function createTrial(twin: Greenhouse, step: CaseStep, pause: () => Promise<void>) {
  const end = monotonicNow() + maxTime
  let left = maxTries
  const open = async (lines: readonly Line[]): Promise<World> => {
    const world = twin.world()
    world.reset()
    for (const line of lines) await line.run(world)
    return world
  }
  const send = (
    world: World,
    { body, text = body === undefined ? undefined : toBodyText({ body }), ...asked }: CaseStep,
  ) => ask(twin, world, { ...asked, text }, new CaseSecrets(world.core), true)
  return {
    step,
    open,
    send,
    isOver: () => left <= 0 || monotonicNow() > end,
    async run(lines: readonly Line[]): Promise<Outcome | undefined> {
      left--
      await pause()
      try {
        const { asked, reply } = await send(await open(lines), step)
        return { reply: asked.reply!, sent: reply, reason: mask(asked.reason) }
      } catch {
        return undefined
      }
    },
  }
}

interface Arrangement {
  readonly lines: readonly Line[]
  readonly outcome: Outcome | undefined
  readonly changing: readonly string[]
  readonly notes?: readonly string[]
}

/** Finds as few lines as possible after which the request gets its reply. */
async function arrange(trial: Trial, before: World, steps: readonly CaseStep[]): Promise<Arrangement> {
  const expected = trial.step.reply!
  const differences = await toDifferences(trial, before)
  const ways: (() => readonly Line[])[] = [
    () => differences,
    () => withoutEffect(trial.step, differences, before),
    ...(expected.status === 429
      ? (['minute', 'day'] as const).map((window) => () => [
          ...differences,
          line('use', { title: 'spent', quota: [{ window, remaining: 0 }] }),
        ])
      : []),
    () => toHistory(trial, before, steps),
  ]
  let best: Arrangement | undefined
  for (const way of ways) {
    const lines = way()
    const outcome = await trial.run(lines)
    const changing = outcome && findChanging(expected, outcome.reply)
    if (!changing) continue
    if (best && changing.length >= best.changing.length) continue
    best = { lines, outcome, changing }
    if (changing.length === 0 || !changing.includes('')) break
  }
  if (!best) {
    const reply = (await trial.run(differences))?.reply
    const note = `In a world of its own this request gets ${reply?.status ?? 'another reply'}, not ${expected.status}: arrange what is missing.`
    return { lines: differences.slice(0, 20), outcome: undefined, changing: [], notes: [note] }
  }
  const reason = best.outcome?.reason
  // A new record has another id after fewer lines.
  const free = trial.step.request!.startsWith('POST ') ? ['id', ...best.changing] : best.changing
  await shrinkList(best.lines, async (lines) => {
    const outcome = trial.isOver() ? undefined : await trial.run(lines)
    const changing = outcome && findChanging(expected, outcome.reply)
    // The same reply for another reason would be another situation.
    if (outcome?.reason !== reason || !changing?.every((name) => free.includes(name))) return false
    best = { lines, outcome, changing }
    return true
  })
  return best
}

/** Returns the fields of a body that are not as expected, `''` for all of it; `undefined` if the reply is another one. */
function findChanging(expected: CaseReply, actual: CaseReply): string[] | undefined {
  const isReplayed = ({ headers = {} }: CaseReply) => 'Idempotent-Replayed' in headers
  if (expected.status !== actual.status || isReplayed(expected) !== isReplayed(actual)) return undefined
  const [one, other] = [toBodyText(expected), toBodyText(actual)]
  if (mask(one) === mask(other)) return []
  const [before, after] = [expected.body, actual.body]
  if (!isObject(before) || !isObject(after)) return ['']
  const codes = [before, after].map(({ error }) => (error as { code?: unknown } | undefined)?.code)
  if (codes[0] !== codes[1]) return undefined
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.filter((name) => mask(before[name]) !== mask(after[name]))
}

function findHidden({ body }: CaseReply): string[] {
  if (!isObject(body)) return []
  return Object.keys(body).filter((name) => toJson(body[name] ?? null).search(fingerprint) >= 0)
}

function mask(value: unknown): string {
  const text = typeof value === 'string' ? value : toJson(value ?? null)
  return text.replace(/\b(fp_[\da-f]{12}|key_copied(_\d+)?|req_[a-z0-9]{16})\b/g, '')
}

async function toDifferences(trial: Trial, before: World): Promise<readonly Line[]> {
  const at = trial.step.at!
  const lines = (await trial.open([])).clock.now() === toTimestamp(at) ? [] : [line('clock.set', at)]
  const world = await trial.open(lines)
  const secrets = new CaseSecrets(before.core)
  const copied = copiedKeys(before)
  for (const definition of allCollections(world.core)) {
    const { name, key } = definition
    const isShown = (record: object) => name !== keys.name || hasPlainName(before.core, String(key(record)))
    const initial = world.core.collection(definition).all()
    const fresh = new Map(initial.filter(isShown).map((record) => [key(record), record]))
    const wanted = before.core.collection(definition).all()
    const left = new Set(wanted.map(key))
    for (const [id] of fresh) if (!left.has(id)) lines.push(line(`records.${name}.delete`, id))
    for (const record of wanted) {
      const id = key(record)
      const former = fresh.get(id)
      if (former && isSame(former, record)) continue
      const shown = isShown(record)
        ? secrets.hideRecord(definition, record)
        : { ...record, secret: copied.get((record as Key).secret) }
      const isUpdate = former && Object.keys(former).every((field) => field in shown)
      if (isUpdate) {
        const changes = Object.entries(shown).filter(([field, value]) => !isSame(valueAt(former, [field]), value))
        lines.push(line(`records.${name}.update`, id, Object.fromEntries(changes)))
      } else {
        if (former) lines.push(line(`records.${name}.delete`, id))
        lines.push({ ...line(`records.${name}.create`, shown), created: toLiteral(id) })
      }
    }
  }
  for (const [id, value] of Object.entries(before.assumptions))
    if (world.assumptions[id as never] !== value) lines.push(line('assume', id, value))
  const choices = toChoices(before.core)
  for (const [index, { inline, text }] of before.core.active.entries())
    lines.push(line('use', inline ? choices[index]! : text))
  return lines
}

/** Takes back what the request did, for a world that is as it was after it: creates what it deleted, and not what it created. */
function withoutEffect({ request, operation = '', reply, body }: CaseStep, lines: readonly Line[], { core }: World) {
  const [name, verb] = operation.split('.')
  const definition = allCollections(core).find((one) => one.name === name)
  if (verb !== 'delete' || !definition?.sample) {
    const made = [reply?.body, body].map((one) => toLiteral((one as { id?: unknown } | undefined)?.id))
    return lines.filter(({ created }) => created === undefined || !made.includes(created))
  }
  const { id, ...sample } = definition.sample(0, 'acct_pro', core.clock.now()) as { id: unknown }
  const path = splitTarget(request!)[0].split('/').at(-1)!
  const record = { id: typeof id === 'string' ? path : Number(path), ...sample }
  const note = 'Of the record that was deleted, only the id is known.'
  return [...lines, { ...line(`records.${name}.create`, record), note }]
}

/** A call of the world of a test. @param path such as `clock.set` */
function line(path: string, ...given: unknown[]): Line {
  const names = path.split('.')
  const method = names.pop()!
  return {
    code: `world.${path}(${given.map((value) => toLiteral(value)).join(', ')})`,
    run(world) {
      const holder = names.reduce<any>((value, name) => value[name], world)
      return holder[method](...given)
    },
  }
}

/** Returns the lines that repeat what happened: requests, and switches of scenarios, assumptions and the clock. */
function toHistory(trial: Trial, before: World, steps: readonly CaseStep[]): Line[] {
  const lines: Line[] = []
  let time = ''
  for (const step of [...steps, { at: trial.step.at }] as CaseStep[]) {
    const { at = time, clear, assume } = step
    if (at !== time) lines.push(line('clock.set', (time = at)))
    if (step.request !== undefined) {
      const asked = toAskedStep(step, before)
      lines.push({ code: `await ${toCall(asked, toUrl(asked))}`, run: (world) => trial.send(world, asked) })
    }
    for (const choice of step.use ?? step.use_only ?? []) lines.push(line('use', choice))
    if (clear !== undefined) lines.push(line('clear', ...(clear === true ? [] : [clear])))
    if (assume) lines.push(line('assume', assume))
  }
  return lines
}

function toLoops(lines: readonly string[]): string[] {
  const result: string[] = []
  for (let index = 0, end = 0; index < lines.length; index = end) {
    while (lines[end] === lines[index] && end < lines.length) end++
    const loop = end - index > 1 ? `for (let sent = 0; sent < ${end - index}; sent++) ` : ''
    result.push(loop + lines[index]!)
  }
  return result
}

function ownScenarios({ start }: Omit<Case, 'steps'>, used: readonly unknown[]) {
  const text = JSON.stringify(used)
  const own = Object.entries(start?.own_scenarios ?? {}).filter(([name]) => text.includes(name))
  return own.length > 0 ? Object.fromEntries(own) : undefined
}

/** What a Greenhouse has that the `test` of another process has only with the same configuration file. */
function describeOptions({ options, files }: Greenhouse): string[] {
  if (files.config !== undefined) return []
  const own = (['fixtures', 'operations', 'collections', 'plugins', 'plans', 'areas', 'strict'] as const).filter(
    (name) => (Array.isArray(options[name]) ? options[name].length > 0 : options[name]),
  )
  return own.length === 0
    ? []
    : [`This Greenhouse was started with its own ${own.join(', ')}: add the same to its options below.`]
}
