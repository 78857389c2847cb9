import { batch, computed, signal } from '@preact/signals'
import { type EntryView, toEntryView, withoutPrefix } from '../../../core/journal/entry-view.ts'
import { type EntryFilter, Matcher } from '../../../core/journal/matching.ts'
import { readTypedQuery } from '../../../core/journal/typed-query.ts'
import { readTyped } from '../../../core/contract/expected.ts'
import { latest, type ReadonlySignals, type Reading, type StreamEvent } from '../../data/live.ts'
import {
  type KeyNames,
  readKeyNames,
  type ControlEvents,
  type JournalEntry,
  type JournalPage,
  type RequestEvent,
  type Texts,
} from '../../data/control.ts'
import type { Panel } from '../../data/panel.ts'
import { cached } from '../../../core/contract/cache.ts'

const maxEntries = 20_000

const page = 1_000

export type TrafficLog = ReadonlySignals<Log>

const logs = new WeakMap<Panel, TrafficLog>()

/** Returns the log of a panel, which goes on while another view is shown. */
export function trafficLogOf(panel: Panel): TrafficLog {
  return cached(logs, panel, () => new Log(panel))
}

const clearing = new Set<ControlEvents['world']['change']>(['reset', 'deleted', 'dropped'])

interface LogState {
  /** The newest first. */
  entries: readonly RequestEvent[]
  /** The journal that they are of, once it was read. */
  journal: string | undefined
  /** Added to the newest id, this gives the number of requests since the journal was cleared. */
  offset: number
  /** True if all was read that the journal keeps. */
  isWhole: boolean
}

const empty: LogState = {
  entries: [],
  journal: undefined,
  offset: 0,
  isWhole: false,
}

/** The requests of the world that is shown. The events of the server keep it up to date. */
class Log {
  readonly isLoading = signal(true)
  readonly error = signal<Error | undefined>(undefined)
  #panel: Panel
  #reading: Reading
  #state = signal(empty)
  /** The entries that were shown when the list was paused, until it is resumed. */
  #paused = signal<LogState['entries'] | undefined>(undefined)

  readonly entries = computed(() => this.#paused.value ?? this.#state.value.entries)
  readonly isPaused = computed(() => this.#paused.value !== undefined)

  /** True if there is nothing to show, nor to wait for. */
  readonly isEmpty = computed(() => {
    const isSettled = !this.#paused.value && !this.isLoading.value && !this.error.value
    return isSettled && this.#state.value.entries.length === 0
  })

  /** How many the journal, or this list, no longer keeps. */
  readonly older = computed(() => {
    const { entries, offset } = this.#state.value
    const [newest] = entries
    if (newest) return Math.max(0, offset + newest.id - entries.length)
    return 0
  })

  /** How many came since it was paused. */
  readonly waiting = computed(() => {
    const shown = this.#paused.value
    if (!shown) return 0
    const newest = shown[0]?.id ?? 0
    return this.#state.value.entries.filter(({ id }) => id > newest).length
  })

  constructor(panel: Panel) {
    this.#panel = panel
    const { live, world } = panel
    this.#reading = latest(live, this.error, (isLatest) => this.#read(isLatest))
    world.name.subscribe(() => {
      this.#paused.value = undefined
      this.#clear()
      this.reload()
    })
    live.onRestart(() => this.#reset())
    // An answer that comes after the server was away may be of another journal than the entries here.
    live.connection.subscribe((connection) => {
      if (connection === 'lost') this.#stopReading()
    })
    live.on(['request', 'journal-cleared', 'world'], (events) => this.#take(events))
  }

  readonly pause = () => {
    this.#paused.value = this.#paused.peek() ? undefined : this.#state.peek().entries
  }

  readonly reload = () => void this.#reading.load()

  #stopReading() {
    this.#reading.discard()
    this.isLoading.value = false
  }

  #clear() {
    batch(() => {
      this.#state.value = empty
      if (this.#paused.peek()) this.#paused.value = []
      this.error.value = undefined
    })
  }

  /** Clears the list and closes the open entry, because a new entry may get its id. */
  #reset() {
    this.#clear()
    this.#stopReading()
    const { router } = this.#panel
    const { view, rest } = router.route.peek()
    if (view === 'traffic' && rest.length > 0) router.go({ rest: [] }, true)
  }

  async #read(isLatest: () => boolean) {
    this.isLoading.value = true
    // Entries of events before the first read may be from a journal cleared meanwhile; this read
    // has those that remain.
    if (this.#state.peek().journal === undefined) this.#state.value = empty
    try {
      await this.#readPages(isLatest)
    } finally {
      if (isLatest()) this.isLoading.value = false
    }
  }

  async #readPages(isLatest: () => boolean) {
    const { control } = this.#panel
    const names = await readKeyNames(control)
    let before: number | undefined
    do {
      const answer = await control.call('GET /worlds/{world}/journal', {
        limit: page,
        before,
      })
      if (!isLatest()) return
      const known = this.#state.peek()
      if (known.journal !== undefined && answer.journal !== known.journal) {
        this.#reset()
        return this.#reading.load()
      }
      this.#state.value = withPage(known, answer, before === undefined, names)
      before = oldestUnread(known, answer.data)
    } while (before !== undefined && this.#state.peek().entries.length < maxEntries)
    this.#state.value = {
      ...this.#state.peek(),
      isWhole: true,
    }
  }

  #take(events: readonly StreamEvent<'request' | 'journal-cleared' | 'world'>[]) {
    const news: RequestEvent[] = []
    for (const { type, data } of events)
      if (type === 'request') news.push(data)
      else if (type === 'journal-cleared' || clearing.has(data.change)) {
        news.length = 0
        this.#reset()
      }
    // The world may be new, or may have earlier requests.
    if (events.some(({ type }) => type === 'world')) this.reload()
    if (news.length === 0) return
    this.error.value = undefined
    const state = this.#state.peek()
    this.#state.value = {
      ...state,
      entries: merge(state.entries, news),
    }
  }
}

/** Adds a page of the journal, whose oldest entry comes first. */
function withPage(
  state: LogState,
  { data, journal, size, evicted }: JournalPage,
  isNewest: boolean,
  names: KeyNames,
): LogState {
  const read = data.toReversed().map((entry) => outlineOfEntry(entry, names))
  const offset = isNewest ? size + evicted - (read[0]?.id ?? 0) : state.offset
  return {
    ...state,
    journal,
    offset,
    entries: merge(state.entries, read),
  }
}

/** Returns the id before which entries are still unread, if there may be any. */
function oldestUnread({ isWhole, entries }: LogState, read: JournalPage['data']) {
  const oldest = read[0]?.id
  const isKnown = isWhole && entries.some(({ id }) => id === oldest)
  if (read.length < page || isKnown) return undefined
  return oldest
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
  params: Texts,
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
  return entries.filter((entry) => matcher.test(viewOf(entry)) === 'yes')
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
function readSearch(search: string): Texts {
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
  const rows = entries.map((entry) => ({
    entry,
    key: keyOf(entry),
  }))
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
    const ofRow = {
      key: entry.key,
      lacks: () => false,
      text: () => (text ??= toText()),
    }
    views.set(entry, (view = { ...outline, ...ofRow }))
  }
  return view
}

function outlineOfEntry(entry: JournalEntry, names: KeyNames): RequestEvent {
  const { request, response, cut: _, ...rest } = entry
  const key = keyOf(entry, names)
  return {
    ...rest,
    request: {
      method: request.method,
      url: request.url,
    },
    response: { status: response.status },
    ...(key !== undefined && { key }),
  }
}

export function keyOf({ request }: JournalEntry, names: KeyNames): string | undefined {
  const [, sent] = /^Bearer\s+(\S+)/i.exec(request.headers['authorization'] ?? '') ?? []
  return sent && (names.get(sent) ?? sent)
}
