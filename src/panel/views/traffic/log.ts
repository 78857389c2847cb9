import { batch, signal, type ReadonlySignal } from '@preact/signals'
import { ApiFailure, isOffline } from '../../data/failure.ts'
import type { Panel } from '../../data/panel.ts'
import type { Events, JournalEntry, JournalPage, TrafficEntry } from '../../data/shapes.ts'
import { harEntries } from './har.ts'
import { keyOf, readKeyNames, type KeyNames } from './key-names.ts'

/** How many entries the list holds at most: the oldest ones go. */
export const mostEntries = 20_000

/** How many entries of before it reads at once. */
const page = 1_000

/** The requests of the world that is shown, the newest first; kept while other views are open. */
export interface TrafficLog {
  readonly entries: ReadonlySignal<readonly TrafficEntry[]>
  /** Whether the entries of before are being read. */
  readonly isLoading: ReadonlySignal<boolean>
  readonly error: ReadonlySignal<Error | undefined>
  /** While it is paused the list stays as it is; nothing is lost. */
  readonly isPaused: ReadonlySignal<boolean>
  /** How many requests there were that are older than all of the list. */
  readonly older: ReadonlySignal<number>
  /** How many entries came since it was paused. */
  readonly waiting: ReadonlySignal<number>
  pause(isPaused: boolean): void
  reload(): void
}

const logs = new WeakMap<Panel, TrafficLog>()

/** The log of a panel; it begins when it is first asked for. */
export function trafficLogOf(panel: Panel): TrafficLog {
  let log = logs.get(panel)
  if (!log) logs.set(panel, (log = createLog(panel)))
  return log
}

function createLog({ api, live, router, world, answers }: Panel): TrafficLog {
  const shown = signal<readonly TrafficEntry[]>([])
  const isLoading = signal(true)
  const error = signal<Error | undefined>(undefined)
  const isPaused = signal(false)
  const waiting = signal(0)
  const older = signal(0)
  /** All of them; the shown ones are these, or what these were as it was paused. */
  let entries: readonly TrafficEntry[] = []
  let round = 0
  /** Whether all that the journal has of before was read. */
  let isWhole = false
  /** Which journal the entries are of; `undefined` until it was read. */
  let journal: string | undefined
  /** What the newest id and this are together: how many requests there were since the journal was cleared. */
  let offset = 0

  const publish = () => {
    older.value = entries.length === 0 ? 0 : Math.max(0, offset + entries[0]!.id - entries.length)
    if (!isPaused.peek()) shown.value = entries
    else {
      const newest = shown.peek()[0]?.id ?? 0
      waiting.value = entries.findIndex(({ id }) => id <= newest)
      if (waiting.value < 0) waiting.value = entries.length
    }
  }
  const empty = () =>
    batch(() => {
      entries = []
      isWhole = false
      journal = undefined
      offset = 0
      older.value = 0
      shown.value = []
      waiting.value = 0
      harEntries.value = new Set()
    })

  /** Forgets all entries, and the one that is opened: another one may get its id. */
  const beginAnew = () => {
    empty()
    // What is being read is of before.
    round++
    isLoading.value = false
    const { view, rest } = router.route.peek()
    if (view === 'traffic' && rest.length > 0) router.go({ rest: [] }, true)
  }

  const load = async (): Promise<void> => {
    const mine = ++round
    const name = world.name.peek()
    isLoading.value = true
    error.value = undefined
    try {
      const names = await readKeyNames(api, name)
      let before: number | undefined
      do {
        const answer = await readPage(name, before)
        if (mine !== round) return
        if (journal !== undefined && answer !== undefined && answer.journal !== journal) {
          beginAnew()
          return load()
        }
        const read = answer?.data ?? []
        if (answer && before === undefined) {
          journal = answer.journal
          offset = answer.size + answer.evicted - (read.at(-1)?.id ?? 0)
        }
        const known = new Set(isWhole ? entries.map(({ id }) => id) : [])
        before = read.length < page || known.has(read[0]!.id) ? undefined : read[0]!.id
        entries = merge(
          entries,
          read.toReversed().map((entry) => toOutline(entry, names)),
        )
        batch(publish)
      } while (before !== undefined && entries.length < mostEntries)
      isWhole = true
    } catch (thrown) {
      if (mine === round) error.value = thrown as Error
    }
    if (mine === round) isLoading.value = false
  }
  const readPage = async (name: string, before: number | undefined): Promise<JournalPage | undefined> => {
    try {
      return await api.journal(name, { limit: page, ...(before !== undefined && { before }) })
    } catch (thrown) {
      // What was before is gone: the journal says so where it would say that there is nothing.
      if (thrown instanceof ApiFailure && thrown.code === 'journal_evicted') return undefined
      throw thrown
    }
  }

  world.name.subscribe(() => {
    empty()
    isPaused.value = false
    void load()
  })
  live.onRestart(beginAnew)
  live.onFresh(() => void load())
  answers.subscribe(() => isOffline(error.peek()) && void load())
  live.on(['request', 'journal-cleared', 'world'], (events) => {
    const news: TrafficEntry[] = []
    for (const { type, data } of events) {
      if (type === 'request') {
        if ((data as TrafficEntry).world === world.name.peek()) news.push(data as TrafficEntry)
      } else if ((data as Events['world']).world === world.name.peek() && isForgetful(type, data as Events['world'])) {
        news.length = 0
        beginAnew()
      }
    }
    // One that was not there may be now, with requests of before.
    if (events.some(({ type, data }) => type === 'world' && (data as Events['world']).world === world.name.peek()))
      void load()
    if (news.length === 0) return
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
    pause: (wanted) =>
      batch(() => {
        isPaused.value = wanted
        waiting.value = 0
        if (!wanted) shown.value = entries
      }),
    reload: () => void load(),
  }
}

/** Whether the journal begins anew. */
function isForgetful(type: string, { change }: Events['world']): boolean {
  return type === 'journal-cleared' || change === 'reset' || change === 'deleted' || change === 'dropped'
}

/** Two lists as one, the newest first, each id once. Cheap where the news are newer than all others. */
export function merge(old: readonly TrafficEntry[], news: readonly TrafficEntry[]): readonly TrafficEntry[] {
  if (news.length === 0) return old
  const newest = old[0]?.id ?? 0
  const areNewer = news.every(({ id }) => id > newest)
  const byId = new Map(areNewer ? [] : old.map((entry) => [entry.id, entry]))
  for (const entry of news) {
    // It comes before its reply was sent and after; what is read again may be older than an event that came meanwhile.
    const known = byId.get(entry.id)
    if (!known || known.pending || !entry.pending) byId.set(entry.id, entry)
  }
  const sorted = [...byId.values()].sort((one, other) => other.id - one.id)
  return (areNewer ? sorted.concat(old) : sorted).slice(0, mostEntries)
}

/** What the list keeps of an entry of the journal: as its event has it. */
function toOutline(entry: JournalEntry, names: KeyNames): TrafficEntry {
  const { request, response, omitted: _, cut: __, ...rest } = entry
  const key = keyOf(entry, names)
  return {
    ...rest,
    request: { method: request.method, url: request.url },
    response: { status: response.status },
    ...(key !== undefined && { key }),
  }
}
