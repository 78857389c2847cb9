import { stripVTControlCharacters } from 'node:util'
import { toVisible, toVisibleJson } from '../../core/text/messages.ts'
import { type EntryOutline, toOutline } from '../../core/journal/journal-entry.ts'
import { toMicros } from '../../core/journal/journal-record.ts'
import type { LogEvent } from '../../core/journal/log-events.ts'
import { systemNow } from '../../core/time/clock.ts'
import { clearTimeout, setTimeout } from '../../core/time/system-time.ts'
import { toIso, toIsoOrNull, toLocalTime, toTimestamp } from '../../core/time/time-text.ts'
import { wrapLines } from '../../output/table.ts'
import type { LogFormat } from '../../api/config/settings.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'
import type { OutputStream } from '../terminal.ts'

/** How long lines wait for others, in milliseconds, and the characters that are written at once. */
const flushAfter = 50
const flushAt = 2 ** 16

/** The most bytes that wait for a slow reader; later lines are counted and dropped. */
const maxBufferedBytes = 2 ** 20

interface DroppedLines {
  readonly event: 'dropped'
  readonly lines: number
}

type Logged = EntryOutline | LogEvent | DroppedLines

export function logRequests(
  greenhouse: Greenhouse,
  format: LogFormat,
  stream: OutputStream,
  env: NodeJS.ProcessEnv,
) {
  if (format === 'silent') return () => undefined
  const shape = lineFormatOf(stream, env)
  const toText = (logged: Logged) => {
    if (format === 'json') return toJsonLine(logged, greenhouse)
    return toPrettyLine(logged, greenhouse, shape)
  }
  let text = ''
  let count = 0
  let dropped = 0
  /** True if the last write failed: a full disk may have taken the beginning of a line. */
  let isBroken = false
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (count === 0) return
    if (stream.writableLength > maxBufferedBytes) dropped += count
    else {
      let missing = isBroken && dropped > 0 ? '\n' : ''
      if (dropped > 0)
        missing += toText({
          event: 'dropped',
          lines: dropped,
        })
      const lines = count + dropped
      dropped = 0
      stream.write(missing + text, (error) => {
        isBroken = Boolean(error)
        if (error) dropped += lines
      })
    }
    text = ''
    count = 0
  }
  const add = (logged: Logged) => {
    text += toText(logged)
    count++
    if (text.length > flushAt) flush()
    else timer ??= setTimeout(flush, flushAfter)
  }
  const unsubscribe = greenhouse.requests.observe(
    (record) => record.leftAt > 0 && add(toOutline(record)),
    add,
  )
  return () => {
    unsubscribe()
    flush()
  }
}

/** Says what happened, without secrets. Both formats write this. */
function toEvent(logged: Logged, greenhouse: Greenhouse) {
  if (!('event' in logged))
    return {
      event: 'request',
      ...logged,
      ms: toMicros(logged.ms),
    } as const
  if (logged.event === 'dropped') return logged
  const { redact } = greenhouse.service
  if (logged.event === 'delivery') {
    const { url, at, error, next, ...delivery } = logged
    return {
      ...delivery,
      at: toIso(at),
      // The rest of the URL may be a secret.
      host: toVisible(new URL(url).host),
      error: error && redact(error),
      next_attempt_at: toIsoOrNull(next),
    }
  }
  const { event, request, status, reason } = logged
  const shown = {
    request: {
      method: redact(request.method),
      url: greenhouse.showUrl(request),
    },
    response: { status },
    reason: reason && redact(reason),
  }
  if (event === 'refused') return { event, ...shown }
  return {
    event,
    ...shown,
    aborted: logged.aborted || undefined,
    ms: toMicros(logged.ms),
  }
}

function toJsonLine(logged: Logged, greenhouse: Greenhouse): string {
  const { event, ...shown } = toEvent(logged, greenhouse)
  const time = event === 'dropped' ? undefined : toIso(systemNow())
  return `${toVisibleJson(JSON.stringify({ event, time, ...shown }))}\n`
}

function toPrettyLine(logged: Logged, greenhouse: Greenhouse, format: LineFormat): string {
  const shown = toEvent(logged, greenhouse)
  const time = systemNow()
  switch (shown.event) {
    case 'dropped':
      return `${shown.lines} lines are missing: the output was not read fast enough, or could not be written.\n`
    case 'delivery': {
      const { type, host: url, status, error, ms, attempt, at, next_attempt_at: next } = shown
      const after = next && `next in ${toDuration(toTimestamp(next) - toTimestamp(at))}`
      const reason = [`attempt ${attempt}`, error, after].filter(Boolean).join(', ')
      const world = shown.world === 'default' ? undefined : shown.world
      const line = {
        request: { method: 'HOOK', url },
        response: { status: status ?? 0 },
      }
      return toLogLine(
        {
          ...line,
          time,
          operation: type,
          world,
          ms,
          reason,
        },
        format,
      )
    }
    case 'request':
      return toEntryLine(shown, time, format)
    case 'refused':
      return toLogLine(
        {
          ...shown,
          time,
          operation: '(refused)',
        },
        format,
      )
    case 'handled':
      return toLogLine(
        {
          ...shown,
          time,
          operation: '(your handler)',
        },
        format,
      )
  }
}

type LogLine = { readonly [Name in keyof EntryOutline]?: EntryOutline[Name] | undefined } & {
  readonly time: number
  readonly request: EntryOutline['request']
  readonly response: { readonly status: number }
}

// Wide enough for most paths; a longer one shifts the rest of its line.
const pathWidth = 32
const operationWidth = 18

const leastPathWidth = 16

const otherColumns = 57

const indent = ' '.repeat(9)

function toLogLine(line: LogLine, { paint, width }: LineFormat): string {
  const { time, request, response, ms, bytes, operation = '', world, aborted, reason } = line
  const { scenarios = [], violations = [] } = line
  const { status } = response
  const columns = [
    paint('dim', toLocalTime(time)),
    toVisible(request.method).padEnd(6),
    paint(colourOf(status), status === 0 ? '---' : String(status)),
    paint('dim', (ms === undefined ? '' : toDuration(ms)).padStart(8)),
    paint('dim', (bytes === undefined ? '' : toSize(bytes)).padStart(8)),
    toVisible(request.url).padEnd(
      Math.min(pathWidth, Math.max(leastPathWidth, width - otherColumns)),
    ),
    toVisible(operation).padEnd(operationWidth),
  ]
  const rest = [
    world !== undefined && paint('cyan', `world=${toVisible(world)}`),
    scenarios.length > 0 && paint('cyan', `scenario=${toVisible(scenarios.join(','))}`),
    aborted && paint('red', 'aborted'),
    violations.length > 0 &&
      paint(
        'yellow',
        `violation=${Array.from(new Set(violations.map(({ rule }) => rule))).join()}`,
      ),
    reason !== undefined && toVisible(reason),
  ].filter(Boolean)
  const text = [...columns, ...rest].join(' ').trimEnd()
  const shown = width < Infinity ? stripVTControlCharacters(text).length : 0
  if (shown <= width || rest.length === 0) return text + '\n'
  const continuation = wrapLines(rest.join(' '), width - indent.length).map(
    (text) => `${indent}${text}\n`,
  )
  return `${columns.join(' ').trimEnd()}\n${continuation.join('')}`
}

/**
 * @param time in milliseconds since 1970: the machine's in the log of `serve`, the world's in
 * `greenhouse-mock log`.
 */
export function toEntryLine(entry: EntryOutline, time: number, format: LineFormat): string {
  const { request, world } = entry
  const named = world === 'default' || request.url.startsWith(`/~${world}/`) ? undefined : world
  return toLogLine(
    {
      ...entry,
      time,
      world: named,
    },
    format,
  )
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
  if (bytes < 1_000_000) return `${round(bytes / 1_000)} kB`
  return `${round(bytes / 1_000_000)} MB`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function colourOf(status: number): 'green' | 'cyan' | 'yellow' | 'red' {
  if (status === 0 || status >= 500) return 'red'
  if (status >= 400) return 'yellow'
  return status >= 300 ? 'cyan' : 'green'
}

const codes = {
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
}

export interface LineFormat {
  readonly paint: (colour: keyof typeof codes, text: string) => string
  readonly width: number
}

export function lineFormatOf(stream: OutputStream, env: NodeJS.ProcessEnv): LineFormat {
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
 * Returns whether to colour output on a stream. `FORCE_COLOR` decides if set: `0` and `false` mean
 * no. Otherwise only terminals get colours, unless `NO_COLOR` is set and not empty, or `TERM` is
 * `dumb`.
 */
function isColoured({ isTTY }: OutputStream, env: NodeJS.ProcessEnv): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: none, TERM: terminal } = env
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return isTTY === true && (none === undefined || none === '') && terminal !== 'dumb'
}
