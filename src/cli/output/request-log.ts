import { stripVTControlCharacters } from 'node:util'
import { toVisible, toVisibleJson } from '../../core/text/messages.ts'
import { type EntryOutline, toOutline } from '../../core/journal/journal-entry.ts'
import { toMicros } from '../../core/journal/journal-record.ts'
import type { LogEvent } from '../../core/journal/log-events.ts'
import { systemNow } from '../../core/time/clock.ts'
import { clearTimeout, setTimeout } from '../../core/time/system-time.ts'
import { createIsoWriter, toIso, toLocalTime } from '../../core/time/time-text.ts'
import { wrapLines } from '../../core/text/table.ts'
import type { LogFormat } from '../../api/config/settings.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'
import type { OutputStream } from '../terminal.ts'

/** How long lines wait for others, in milliseconds: one write for many makes the log cheap. */
const flushAfter = 50

/** The most bytes that wait for a slow reader; later lines are counted and dropped. */
const maxBufferedBytes = 2 ** 20

interface Writer {
  request(entry: EntryOutline): string
  event(event: LogEvent): string
  dropped(lines: number): string
}

export function logRequests(greenhouse: Greenhouse, format: LogFormat, stream: OutputStream, env: NodeJS.ProcessEnv) {
  if (format === 'silent') return () => undefined
  const writer =
    format === 'json' ? createJsonWriter(greenhouse) : createPrettyWriter(greenhouse, lineFormatOf(stream, env))
  let dropped = 0
  const lines = new LineBuffer()
  /** Whether the last write failed: a full disk may have taken the beginning of a line. */
  let isBroken = false
  const toCheck = (count: number) => (error?: Error | null) => {
    isBroken = Boolean(error)
    if (error) dropped += count
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (stream.writableLength > maxBufferedBytes) dropped += lines.drop()
    else if (lines.count > 0) {
      const missing = dropped
      dropped = 0
      if (missing > 0) stream.write((isBroken ? '\n' : '') + writer.dropped(missing), toCheck(missing))
      lines.writeTo(stream, toCheck(lines.count))
    }
  }
  const add = (line: string) => {
    if (!lines.fits(line)) flush()
    lines.add(line)
    timer ??= setTimeout(flush, flushAfter)
  }
  const unsubscribe = greenhouse.observe(
    (record) => record.leftAt > 0 && add(writer.request(toOutline(record))),
    (event) => add(writer.event(event)),
  )
  return () => {
    unsubscribe()
    flush()
  }
}

function createPrettyWriter(greenhouse: Greenhouse, format: LineFormat): Writer {
  return {
    request: (entry) => toEntryLine(entry, systemNow(), format),
    event(event) {
      const url = event.event === 'delivery' ? hostOf(event.url) : greenhouse.showUrl(event.request)
      return toEventLine(event, url, greenhouse.redact, format)
    },
    dropped: (lines) => `${lines} lines are missing: the output was not read fast enough, or could not be written.\n`,
  }
}

function createJsonWriter(greenhouse: Greenhouse): Writer {
  return {
    request: toJsonLine,
    event(notice) {
      const { event } = notice
      const time = toLogTime(systemNow())
      if (event === 'delivery') {
        const { world, at, webhook, delivery, type, url, attempt, status, error, ms, next } = notice
        const attempted = { webhook, delivery, type, host: hostOf(url), attempt, status }
        const result = {
          error: error && greenhouse.redact(error),
          ms,
          next_attempt_at: next === null ? null : toIso(next),
        }
        return toLine({ event, time, at: toIso(at), world, ...attempted, ...result })
      }
      const { status, reason } = notice
      const request = { method: greenhouse.redact(notice.request.method), url: greenhouse.showUrl(notice.request) }
      const fields = { event, time, request, response: { status }, reason: reason && greenhouse.redact(reason) }
      if (event === 'refused') return toLine(fields)
      return toLine({ ...fields, aborted: notice.aborted || undefined, ms: toMicros(notice.ms) })
    },
    dropped: (lines) => toLine({ event: 'dropped', lines }),
  }
}

function toLine(value: object): string {
  return toVisibleJson(JSON.stringify(value)) + '\n'
}

/** Formats an entry as JSON. Does so by hand, because `JSON.stringify` takes three times as long. */
function toJsonLine(entry: EntryOutline): string {
  const { id, at, operation, world, request, response, bytes, aborted, reason, scenarios, assumptions, ms } = entry
  const { verdicts, violations, near_misses } = entry
  const named = operation === undefined ? '' : `"operation":"${operation}",`
  const sent = `{"method":${toMethodText(request.method)},"url":${toUrlText(request.url)}}`
  const ended = aborted ? ',"aborted":true' : ''
  const explained = reason === undefined ? '' : `,"reason":${toVisibleJson(JSON.stringify(reason))}`
  const acted = scenarios.length === 0 ? '[]' : JSON.stringify(scenarios)
  const decided = verdicts ? `,"verdicts":${JSON.stringify(verdicts)}` : ''
  const broken = violations ? `,"violations":${toVisibleJson(JSON.stringify(violations))}` : ''
  const missed = near_misses ? `,"near_misses":${JSON.stringify(near_misses)}` : ''
  return `{"event":"request","time":"${toLogTime(systemNow())}","id":${id},"at":"${at}",${named}"world":"${world}","request":${sent},"response":{"status":${response.status}},"bytes":${bytes}${ended}${explained},"scenarios":${acted}${decided},"assumptions":${toIds(assumptions)}${broken}${missed},"ms":${toDecimals(ms)}}\n`
}

/** Returns a cached JSON serializer of strings, since clients repeat them. */
function createTextWriter(): (text: string) => string {
  let last = ''
  let written = '""'
  return (text) => {
    if (text !== last) {
      last = text
      written = toVisibleJson(JSON.stringify(text))
    }
    return written
  }
}

const toMethodText = createTextWriter()
const toUrlText = createTextWriter()

/** Formats milliseconds with three decimals, from integers: a fraction takes four times as long to format. */
function toDecimals(ms: number): string {
  const micros = Math.round(ms * 1_000)
  return `${Math.floor(micros / 1_000)}.${String(1_000 + (micros % 1_000)).slice(1)}`
}

/** Returns the host of a webhook's URL, because the rest may be a secret. */
function hostOf(url: string): string {
  return toVisible(new URL(url).host)
}

const toLogTime = createIsoWriter()

let lastIds: readonly string[] = []
let writtenIds = '[]'

/** Formats ids of assumptions as JSON; cached. Ids need no escaping. */
function toIds(ids: readonly string[]): string {
  if (ids.length === lastIds.length && ids.every((id, at) => id === lastIds[at])) return writtenIds
  lastIds = ids
  writtenIds = `[${ids.map((id) => `"${id}"`).join()}]`
  return writtenIds
}

const size = 64 * 1_024

const maxBytes = 3

const maxFree = 4

/** Lines to write, as bytes. As strings they would survive V8's collection of young objects, which copies each twice. */
class LineBuffer {
  readonly #free: Buffer[] = []
  #bytes: Buffer | undefined
  #used = 0
  #count = 0

  get count(): number {
    return this.#count
  }

  fits(line: string): boolean {
    // A larger line gets its own buffer, which then is full.
    return this.#used === 0 || (this.#bytes!.length === size && this.#used + line.length * maxBytes <= size)
  }

  add(line: string): void {
    this.#count++
    const max = line.length * maxBytes
    if (max > size) {
      this.#bytes = Buffer.from(line)
      this.#used = this.#bytes.length
      return
    }
    const bytes = (this.#bytes ??= this.#free.pop() ?? Buffer.allocUnsafeSlow(size))
    this.#used += bytes.write(line, this.#used)
  }

  writeTo(stream: NodeJS.WritableStream, onWritten: (error?: Error | null) => void): void {
    const bytes = this.#bytes!
    stream.write(bytes.subarray(0, this.#used), (error) => {
      onWritten(error)
      if (bytes.length === size && this.#free.length < maxFree) this.#free.push(bytes)
    })
    this.#bytes = undefined
    this.#clear()
  }

  drop(): number {
    const count = this.#count
    if (this.#bytes?.length !== size) this.#bytes = undefined
    this.#clear()
    return count
  }

  #clear(): void {
    this.#used = 0
    this.#count = 0
  }
}

type OfEntry = 'ms' | 'bytes' | 'operation' | 'world' | 'scenarios' | 'aborted' | 'reason' | 'violations'

type LogLine = { readonly [Name in OfEntry]?: EntryOutline[Name] | undefined } & {
  readonly time: number
  readonly method: string
  readonly status: number
  readonly path: string
}

// Wide enough for most paths; a longer one shifts the rest of its line.
const pathWidth = 32
const operationWidth = 18

const leastPathWidth = 16

const otherColumns = 57

const indent = ' '.repeat(9)

function toLogLine(line: LogLine, { paint, width }: LineFormat): string {
  const { time, method, status, ms, bytes, path, operation = '', world, aborted, reason } = line
  const { scenarios = [], violations = [] } = line
  const columns = [
    paint('dim', toLocalTimeOnce(time)),
    toVisible(method).padEnd(6),
    paint(colourOf(status), status === 0 ? '---' : String(status)),
    paint('dim', (ms === undefined ? '' : toDuration(ms)).padStart(8)),
    paint('dim', (bytes === undefined ? '' : toSize(bytes)).padStart(8)),
    toVisible(path).padEnd(Math.min(pathWidth, Math.max(leastPathWidth, width - otherColumns))),
    toVisible(operation).padEnd(operationWidth),
  ]
  const rest = [
    ...(world === undefined ? [] : [paint('cyan', `world=${toVisible(world)}`)]),
    ...(scenarios.length === 0 ? [] : [paint('cyan', `scenario=${toVisible(scenarios.join(','))}`)]),
    ...(aborted ? [paint('red', 'aborted')] : []),
    ...(violations.length === 0
      ? []
      : [paint('yellow', `violation=${[...new Set(violations.map(({ rule }) => rule))].join(',')}`)]),
    ...(reason === undefined ? [] : [toVisible(reason)]),
  ]
  const text = [...columns, ...rest].join(' ').trimEnd()
  const shown = width < Infinity ? stripVTControlCharacters(text).length : 0
  if (shown <= width || rest.length === 0) return text + '\n'
  const continuation = wrapLines(rest.join(' '), width - indent.length).map((text) => `${indent}${text}\n`)
  return `${columns.join(' ').trimEnd()}\n${continuation.join('')}`
}

/** @param time in milliseconds since 1970: the machine's in the log of `serve`, the world's in `greenhouse-mock log`. */
export function toEntryLine(entry: EntryOutline, time: number, format: LineFormat): string {
  const { request, response, operation, world, scenarios, bytes, aborted, reason, violations, ms } = entry
  const { method, url: path } = request
  const named = world === 'default' || path.startsWith(`/~${world}/`) ? undefined : world
  const { status } = response
  return toLogLine(
    { time, method, status, ms, bytes, path, operation, world: named, scenarios, aborted, reason, violations },
    format,
  )
}

function toEventLine(event: LogEvent, url: string, redact: (text: string) => string, format: LineFormat) {
  const time = systemNow()
  if (event.event === 'delivery') {
    const { type, status, error, ms, world, attempt, next, at } = event
    const after = next === null ? '' : `, next in ${toDuration(next - at)}`
    const reason = `attempt ${attempt}${error === null ? '' : `, ${redact(error)}`}${after}`
    const named = world === 'default' ? undefined : world
    const line = { time, method: 'HOOK', status: status ?? 0, ms, path: url, operation: type, world: named, reason }
    return toLogLine(line, format)
  }
  const { status, reason, request } = event
  const line = { time, method: redact(request.method), status, path: url, reason: reason && redact(reason) }
  if (event.event === 'refused') return toLogLine({ ...line, operation: '(refused)' }, format)
  const { ms, aborted } = event
  return toLogLine({ ...line, operation: '(your handler)', ms, aborted: aborted || undefined }, format)
}

function toDuration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${round(ms / 1_000)} s`
  if (ms < 3_600_000) return `${round(ms / 60_000)} min`
  return `${round(ms / 3_600_000)} h`
}

function toSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${round(bytes / 1_000)} kB` : `${round(bytes / 1_000_000)} MB`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function colourOf(status: number): 'green' | 'cyan' | 'yellow' | 'red' {
  if (status === 0 || status >= 500) return 'red'
  if (status >= 400) return 'yellow'
  return status >= 300 ? 'cyan' : 'green'
}

let lastSecond = NaN
let lastTime = ''

/** Cached: many lines have the same second. */
function toLocalTimeOnce(at: number): string {
  const second = Math.floor(at / 1_000)
  if (second !== lastSecond) {
    lastSecond = second
    lastTime = toLocalTime(at)
  }
  return lastTime
}

const codes = { dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 }

interface LineFormat {
  readonly paint: (colour: keyof typeof codes, text: string) => string
  readonly width: number
}

export function lineFormatOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  env: NodeJS.ProcessEnv,
): LineFormat {
  return {
    paint: isColoured(stream, env)
      ? (colour, text) => `\x1b[${codes[colour]}m${text}\x1b[${colour === 'dim' ? 22 : 39}m`
      : (_, text) => text,
    // Terminals can be resized.
    get width() {
      return (stream.isTTY && stream.columns) || Infinity
    },
  }
}

/**
 * Whether to colour output on a stream. `FORCE_COLOR` decides if set: `0` and `false` mean no. Otherwise only terminals
 * get colours, unless `NO_COLOR` is set and not empty, or `TERM` is `dumb`.
 */
function isColoured(
  { isTTY }: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: none, TERM: terminal } = env
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return isTTY === true && (none === undefined || none === '') && terminal !== 'dumb'
}
