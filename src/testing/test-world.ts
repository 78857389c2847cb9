import { countOf, toSlug, toVisible } from '../core/text/messages.ts'
import type { JournalEntry } from '../core/journal/journal-entry.ts'
import type { ClientBases } from '../core/http/urls.ts'
import { withoutTrailingSlashes } from '../core/http/request.ts'
import type { Journal } from '../api/journal.ts'
import type { World } from '../api/world.ts'
import { toCaseText } from '../cases/format.ts'
import type { Case } from '../cases/generated/case.ts'

/** Selects the world of a test: by base URL or by key. Either is enough. */
export interface WorldApi {
  /** The base URL of Area A in this world: plants are at `<plantsUrl>/plants`. */
  readonly plantsUrl: string
  /** The base URL of Area B in this world: apps are at `<appsUrl>/apps`. */
  readonly appsUrl: string
  /**
   * A key that selects this world, whatever the base URL: `key('key_pro')` is `'key_pro@<world>'`.
   */
  key(secret: string): string
}

export function toWorldApi(world: World, bases: ClientBases): WorldApi {
  const bind = (base: string) => {
    const { origin, pathname } = new URL(base)
    return `${origin}/~${world.name}${withoutTrailingSlashes(pathname)}`
  }
  return {
    plantsUrl: bind(bases.plants),
    appsUrl: bind(bases.apps),
    key: (secret) => world.key(secret),
  }
}

export function toTestWorldName(title: string, id: string): string {
  const tail = id
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^-/, '')
    .slice(-48)
  const head = toSlug(title)
    .slice(0, 63 - tail.length)
    .replace(/-$/, '')
  return head === '' ? tail : `${head}-${tail}`
}

const hintOfNone =
  '  Does the client call the URLs of this world? What a browser blocks never arrives: its console says why, and the log of a server names the pages that it refused (docs/pages-and-hosts.md).'

const maxListed = 20

export function describeRequests({ name, journal }: World, max = maxListed): string {
  const entries = newest(journal)
  const { evicted } = journal
  const total = entries.length + evicted
  const listed = entries.slice(-max)
  const before = total - listed.length
  const lines = [`Greenhouse world ${name}: ${countOf(total, 'request')}`]
  if (before > 0) lines.push(`  … ${before} more`)
  if (evicted > 0)
    lines.push(`  The journal dropped ${countOf(evicted, 'request')} of them to make room.`)
  lines.push(...listed.map((entry) => '  ' + toLine(entry)), ...describeIdle(entries))
  return lines.join('\n')
}

function describeIdle(entries: readonly JournalEntry[]): string[] {
  const idle = new Map<string, string>()
  for (const { verdicts = [] } of entries)
    for (const { scenario, fired, why } of verdicts) if (!fired) idle.set(scenario, why)
  for (const { scenarios } of entries) for (const scenario of scenarios) idle.delete(scenario)
  return Array.from(
    idle,
    ([scenario, why]) => `  The scenario ${scenario} was on and changed no reply: ${why}.`,
  )
}

/**
 * Adds text to the message of a test's error, so that every reporter shows it with that test.
 * Returns whether it could.
 */
export function addToMessage(error: unknown, text: string): boolean {
  const holder = error as
    | {
        message?: unknown
        stack?: unknown
      }
    | null
    | undefined
  if (typeof holder !== 'object' || typeof holder?.message !== 'string') return false
  const { message, stack } = holder
  const longer = message === '' ? text : `${message}\n\n${text}`
  try {
    holder.message = longer
    // The stack begins with the original message.
    if (typeof stack === 'string' && message !== '')
      holder.stack = stack.replace(message, () => longer)
  } catch {
    // The error is frozen.
  }
  return holder.message === longer
}

export function newest(journal: Journal): JournalEntry[] {
  try {
    return journal.calls()
  } catch {
    return []
  }
}

function toLine(entry: JournalEntry): string {
  const { world, request, response, operation, scenarios, reason, violations = [] } = entry
  const url = request.url.replace(`/~${world}/`, '/')
  const fired = scenarios.length > 0 ? ` [${scenarios.join(', ')}]` : ''
  const why = reason === undefined ? violations.map(({ message }) => message) : [reason]
  const reasons = why.map((text) => `\n      ${toVisible(text)}`).join('')
  return `${request.method} ${toVisible(url)} ${response.status} ${operation ?? '(no operation)'}${fired}${reasons}`
}

const usualFolder = 'node_modules/.cache/greenhouse-mock/cases'

interface CaseSource {
  readonly given?: Case
  readonly file?: string
}

/** The first process of a run that comes here removes the cases of earlier runs. */
function openUsualFolder() {
  const { mkdirSync, readdirSync, rmSync, statSync } = process.getBuiltinModule('node:fs')
  // A worker that is its own process belongs to the run of its parent.
  const isWorker = process.send !== undefined || process.env['NODE_TEST_CONTEXT'] !== undefined
  const mark = `${usualFolder}/.run-${isWorker ? process.ppid : process.pid}`
  if (mkdirSync(mark, { recursive: true }) === undefined) return
  const { mtimeMs } = statSync(mark)
  for (const file of readdirSync(usualFolder).map((name) => `${usualFolder}/${name}`))
    if (statSync(file).mtimeMs < mtimeMs) rmSync(file, { recursive: true })
}

/**
 * Saves the world of a failed test as a case, and returns what to print; `undefined` in a page, or
 * if the file can't be written. The usual folder has only those of the last run. A test that fails
 * again replaces its case.
 */
function writeCaseFile(
  world: World,
  { given = world.toCase(), file: source }: CaseSource,
): string | undefined {
  try {
    const { mkdirSync, writeFileSync } = process.getBuiltinModule('node:fs')
    const { join } = process.getBuiltinModule('node:path')
    const folder = process.env['GREENHOUSE_ARTIFACTS'] || usualFolder
    if (folder === usualFolder) openUsualFolder()
    else mkdirSync(folder, { recursive: true })
    const file = join(folder, `${source === undefined ? '' : `${source}-`}${world.name}.case.yaml`)
    writeFileSync(file, toCaseText(given))
    return `  All of it, to play again: npx greenhouse-mock case show ${file}`
  } catch {
    return undefined
  }
}

/**
 * Returns whether the test's own code is wrong. A `fetch` that fails may have called another URL.
 */
function isMistake(error: unknown): boolean {
  const { name, message } = Object(error) as Error
  const text = `${name}: ${message}`
  return !text.includes('fetch') && /\b(?:Type|Range|Reference|Syntax)Error\b/.test(text)
}

/** @param error what made the test fail */
export function describeFailure(world: World, error: unknown, source: CaseSource = {}): string {
  const text = describeRequests(world)
  if (world.journal.size === 0) {
    if (isMistake(error)) return text
    return `${text}\n${hintOfNone}`
  }
  const saved = writeCaseFile(world, source)
  if (saved === undefined) return text
  return `${text}\n${saved}`
}
