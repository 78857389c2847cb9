import { batch, signal } from '@preact/signals'
import {
  type EntryFilter,
  type EntryView,
  Matcher,
  toEntryView,
  withoutPrefix,
} from '../../../core/journal/matching.ts'
import { readTypedQuery } from '../../../core/journal/typed-query.ts'
import { readTyped } from '../../../core/contract/expected.ts'
import { latest, type ReadonlySignals } from '../../data/live.ts'
import { type KeyNames, readKeyNames } from '../../data/control.ts'
import type { Panel } from '../../data/panel.ts'
import type { ControlEvents, JournalEntry, RequestEvent } from '../../data/shapes.ts'

const maxEntries = 20_000

const page = 1_000

export type TrafficLog = ReadonlySignals<ReturnType<typeof createLog>>

const logs = new WeakMap<Panel, TrafficLog>()

/** Returns the log of a panel, which goes on while another view is shown. */
export function trafficLogOf(panel: Panel): TrafficLog {
  let log = logs.get(panel)
  if (!log) logs.set(panel, (log = createLog(panel)))
  return log
}

const clearing = new Set<ControlEvents['world']['change']>(['reset', 'deleted', 'dropped'])

function createLog({ control, live, router, world }: Panel) {
  const shown = signal<readonly RequestEvent[]>([])
  const isLoading = signal(true)
  const error = signal<Error | undefined>(undefined)
  /** While paused, the list does not change; no request is lost. */
  const isPaused = signal(false)
  const waiting = signal(0)
  const older = signal(0)
  /** All entries; `shown` has the same, or those from before the pause. */
  let entries: readonly RequestEvent[] = []
  let isWhole = false
  let journal: string | undefined
  /** Added to the newest id, this gives the number of requests since the journal was cleared. */
  let offset = 0

  const publish = () =>
    batch(() => {
      older.value = entries.length === 0 ? 0 : Math.max(0, offset + entries[0]!.id - entries.length)
      if (!isPaused.peek()) shown.value = entries
      const newest = shown.peek()[0]?.id ?? 0
      const known = entries.findIndex(({ id }) => id <= newest)
      waiting.value = known < 0 ? entries.length : known
    })
  const empty = () =>
    batch(() => {
      entries = []
      isWhole = false
      journal = undefined
      offset = 0
      shown.value = []
      error.value = undefined
      publish()
    })
  /** Clears the list and closes the open entry, because a new entry may get its id. */
  const reset = () => {
    empty()
    reading.discard()
    isLoading.value = false
    const { view, rest } = router.route.peek()
    if (view === 'traffic' && rest.length > 0) router.go({ rest: [] }, true)
  }
  const reading = latest(live, error, async (isLatest) => {
    isLoading.value = true
    // Entries of events before the first read may be from a journal cleared meanwhile; this read
    // has those that remain.
    if (journal === undefined) entries = []
    try {
      const names = await readKeyNames(control)
      let before: number | undefined
      do {
        const answer = await control.call('GET /worlds/{world}/journal', {
          query: { limit: page, before },
        })
        if (!isLatest()) return
        if (journal !== undefined && answer.journal !== journal) {
          reset()
          return reading.load()
        }
        const read = answer.data
        if (before === undefined) {
          journal = answer.journal
          offset = answer.size + answer.evicted - (read.at(-1)?.id ?? 0)
        }
        const known = new Set(isWhole ? entries.map(({ id }) => id) : [])
        before = read.length < page || known.has(read[0]!.id) ? undefined : read[0]!.id
        const outlines = read.toReversed().map((entry) => toOutline(entry, names))
        entries = merge(entries, outlines)
        publish()
      } while (before !== undefined && entries.length < maxEntries)
      isWhole = true
    } finally {
      if (isLatest()) isLoading.value = false
    }
  })

  world.name.subscribe(() => {
    empty()
    isPaused.value = false
    void reading.load()
  })
  live.onRestart(reset)
  live.on(['request', 'journal-cleared', 'world'], (events) => {
    const news: RequestEvent[] = []
    const ours = events.filter(({ data }) => data.world === world.name.peek())
    for (const { type, data } of ours)
      if (type === 'request') news.push(data)
      else if (type === 'journal-cleared' || clearing.has(data.change)) {
        news.length = 0
        reset()
      }
    // The world may be new, or may have earlier requests.
    if (ours.some(({ type }) => type === 'world')) void reading.load()
    if (news.length === 0) return
    error.value = undefined
    entries = merge(entries, news)
    publish()
  })

  return {
    entries: shown,
    isLoading,
    error,
    isPaused,
    older,
    waiting,
    pause() {
      isPaused.value = !isPaused.peek()
      publish()
    },
    reload: () => void reading.load(),
  }
}

/**
 * Merges two lists, newest first, each id once. Fast if all new entries are newer than the old
 * ones.
 */
export function merge(
  old: readonly RequestEvent[],
  news: readonly RequestEvent[],
): readonly RequestEvent[] {
  if (news.length === 0) return old
  const newest = old[0]?.id ?? 0
  const areNewer = news.every(({ id }) => id > newest)
  const byId = new Map(areNewer ? [] : old.map((entry) => [entry.id, entry]))
  for (const entry of news) {
    // An entry arrives before and after its reply was sent. A read may be older than an event that
    // arrived meanwhile.
    const known = byId.get(entry.id)
    if (!known || known.pending || !entry.pending) byId.set(entry.id, entry)
  }
  const sorted = [...byId.values()].sort((one, other) => other.id - one.id)
  return (areNewer ? sorted.concat(old) : sorted).slice(0, maxEntries)
}

export function filterEntries(
  entries: readonly RequestEvent[],
  params: Readonly<Record<string, string>>,
): readonly RequestEvent[] {
  const { search = '', assumption, ...menus } = params
  const typed: Record<string, string> = { ...menus, ...readSearch(search) }
  if (typed['status'] === 'cut') typed['status'] = '0'
  const { operation, key, ...others } = readTypedQuery(typed)
  const op = typed['op'] === undefined ? undefined : readTyped(typed['op'])
  const filter: EntryFilter = {
    ...others,
    assumption,
    operation: op === undefined ? operation : containing(op),
    key: key === undefined ? undefined : containing(key),
  }
  if (Object.values(filter).every((wanted) => wanted === undefined)) return entries
  const matcher = new Matcher(filter)
  return entries.filter((entry) => matcher.test(viewOf(entry)))
}

/** Of what is typed, a part is enough. */
function containing(expected: string | boolean): EntryFilter['key'] {
  if (typeof expected === 'boolean') return expected
  return { asymmetricMatch: (value) => String(value ?? '').includes(expected) }
}

const searchFields = ['status', 'op', 'key', 'method', 'path', 'account', 'scenario']

/**
 * Reads `status:4xx op:plants key:pro fern`: fields by name, and the words that the text has. What
 * is empty, or not typed yet, is left out.
 */
function readSearch(search: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  const words: string[] = []
  for (const word of search.trim().split(/\s+/)) {
    const [name = '', ...value] = word.split(':')
    if (!searchFields.includes(name) || value.length === 0) words.push(word)
    else if (value.join(':') !== '') found[name] = value.join(':')
  }
  if (words.join('') !== '') found['search'] = words.join(' ')
  return found
}

const sortKeys: Readonly<Record<string, (entry: RequestEvent) => number | string>> = {
  id: ({ id }) => id,
  status: ({ response }) => response.status,
  method: ({ request }) => request.method,
  path: pathOf,
  why: ({ reason, operation }) => reason ?? operation ?? '',
  key: ({ key }) => key ?? '',
  slips: ({ violations }) => violations?.length ?? 0,
  scenario: ({ scenarios }) => scenarios.join(' '),
  ms: ({ ms }) => ms,
}

/**
 * @param sort a column, after a minus if descending; the newest first without it, and among equal
 * ones
 */
export function sortEntries(
  entries: readonly RequestEvent[],
  sort = '-id',
): readonly RequestEvent[] {
  const isDescending = sort.startsWith('-')
  const keyOf = sortKeys[isDescending ? sort.slice(1) : sort]
  if (sort === '-id' || !keyOf) return entries
  const rows = entries.map((entry) => ({ entry, key: keyOf(entry) }))
  const direction = isDescending ? -1 : 1
  return rows
    .sort((one, other) => direction * (one.key < other.key ? -1 : Number(one.key > other.key)))
    .map(({ entry }) => entry)
}

export function pathOf({ request, world }: RequestEvent): string {
  return withoutPrefix(request.url, world)
}

const views = new WeakMap<RequestEvent, EntryView>()

/** People also search for the key and the assumptions, which the rows show. */
function viewOf(entry: RequestEvent): EntryView {
  let view = views.get(entry)
  if (!view) {
    const outline = toEntryView(entry)
    let text: string | undefined
    const toText = () => [outline.text(), entry.key, ...entry.assumptions].join(' ').toLowerCase()
    const ofRow = { key: entry.key, lacks: () => false, text: () => (text ??= toText()) }
    views.set(entry, (view = { ...outline, ...ofRow }))
  }
  return view
}

function toOutline(entry: JournalEntry, names: KeyNames): RequestEvent {
  const { request, response, cut: _, ...rest } = entry
  const key = keyOf(entry, names)
  return {
    ...rest,
    request: { method: request.method, url: request.url },
    response: { status: response.status },
    ...(key !== undefined && { key }),
  }
}

export function keyOf({ request }: JournalEntry, names: KeyNames): string | undefined {
  const [, sent] = /^Bearer\s+(\S+)/i.exec(request.headers['authorization'] ?? '') ?? []
  return sent && (names.get(sent) ?? sent)
}
