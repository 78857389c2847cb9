import { toIso } from '../core/clock.ts'
import { toShownAddress } from '../core/journal-entry.ts'
import { toFired, type Note } from '../core/journal-note.ts'
import { clearTimeout, setTimeout } from '../core/system-time.ts'
import { toVisible, toVisibleJson } from '../core/visible.ts'
import type { Greenhouse } from '../greenhouse.ts'

/** How long lines wait for company, in milliseconds: one write for many is what makes the log cheap. */
const patience = 50

/** How much may wait for a reader that does not read, in bytes; what comes then is counted and dropped. */
const mostUnread = 2 ** 20

/** Prints a line for every request of every world, for people or as JSON. Returns what prints the last ones and ends the log. */
export function logRequests(greenhouse: Greenhouse, format: 'pretty' | 'json', stream: NodeJS.WriteStream): () => void {
  const [toLine, toDropped] = format === 'json' ? [toJsonLine, toJsonDropped] : [toPrettyLine, toPrettyDropped]
  let dropped = 0
  let waiting: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const lines = waiting
    waiting = []
    if (stream.writableLength > mostUnread) dropped += lines.length
    else if (lines.length > 0) {
      stream.write((dropped > 0 ? toDropped(dropped) : '') + lines.join(''))
      dropped = 0
    }
  }
  const unsubscribe = greenhouse.observe((note) => {
    waiting.push(toLine(note))
    timer ??= setTimeout(flush, patience)
  })
  return () => {
    unsubscribe()
    flush()
  }
}

const toJsonDropped = (requests: number) => JSON.stringify({ event: 'dropped', requests }) + '\n'

const toPrettyDropped = (requests: number) => `${requests} requests are not shown: nobody read what was printed before.\n`

/** The journal's entry without headers and bodies. Put together by hand: `JSON.stringify` of an object costs three times as much. */
function toJsonLine(note: Note): string {
  const { id, at, operation, method, reply, verdicts, assumed, nearMisses, ms } = note
  const { url, world } = toShownAddress(note)
  const named = operation === undefined ? '' : `"operation":"${operation}",`
  const missed = nearMisses ? `,"near_misses":${JSON.stringify(nearMisses())}` : ''
  const decided = verdicts.length > 0 ? `,"verdicts":${JSON.stringify(verdicts)}` : ''
  const request = `{"method":${JSON.stringify(method)},"url":${toVisibleJson(JSON.stringify(url))}}`
  return `{"event":"request","id":${id},"at":"${toIsoOnce(at)}",${named}"world":"${world}","request":${request},"response":{"status":${reply.status}},"scenarios":${toList(toFired(note))}${decided},"assumptions":${toList(assumed)}${missed},"ms":${Math.round(ms * 1_000) / 1_000}}\n`
}

/** `12:00:30 200 GET /plants?limit=3 plants.list`, and where there is no such operation the ones that are close. */
function toPrettyLine(note: Note): string {
  const { at, operation, method, reply, nearMisses } = note
  const { url, world } = toShownAddress(note)
  const words = [toIsoOnce(at).slice(11, 19), reply.status, method, toVisible(url)]
  if (operation !== undefined) words.push(operation)
  if (world !== 'default' && !url.startsWith(`/~${world}/`)) words.push(`in ${world}`)
  const fired = toFired(note)
  if (fired.length > 0) words.push(`by ${fired.join(', ')}`)
  const meant = nearMisses?.().map((near) => `${near.method} ${near.path} (${near.operation})`) ?? []
  if (meant.length > 0) words.push(`— did you mean ${meant.join(' or ')}?`)
  return words.join(' ') + '\n'
}

let lastAt = NaN
let lastIso = ''

/** Many requests come in the same millisecond. */
function toIsoOnce(at: number): string {
  if (at !== lastAt) {
    lastAt = at
    lastIso = toIso(at)
  }
  return lastIso
}

const lists = new Map<string, string>()

/** Each name once, as JSON. There are few different lists. */
function toList(names: readonly string[]): string {
  if (names.length === 0) return '[]'
  const key = names.join()
  let list = lists.get(key)
  if (list === undefined) {
    if (lists.size >= 1_000) lists.clear()
    lists.set(key, (list = JSON.stringify([...new Set(names)])))
  }
  return list
}
