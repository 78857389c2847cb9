import { stripVTControlCharacters } from 'node:util'
import type { EntryOutline } from '../../core/journal/journal-entry.ts'
import type { LogEvent } from '../../core/journal/log-events.ts'
import { toVisible } from '../../core/text/messages.ts'
import { systemNow } from '../../core/time/clock.ts'
import { toLocalTime } from '../../core/time/time-text.ts'
import { wrapLines } from './table.ts'

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

export function toEventLine(event: LogEvent, url: string, redact: (text: string) => string, format: LineFormat) {
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

export interface LineFormat {
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
