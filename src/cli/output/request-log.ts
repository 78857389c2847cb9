import { toVisible, toVisibleJson } from '../../core/text/messages.ts'
import { type EntryOutline, toOutline } from '../../core/journal/journal-entry.ts'
import { toMicros } from '../../core/journal/journal-record.ts'
import type { LogEvent } from '../../core/journal/log-events.ts'
import { systemNow } from '../../core/time/clock.ts'
import { clearTimeout, setTimeout } from '../../core/time/system-time.ts'
import { createIsoWriter, toIso } from '../../core/time/time-text.ts'
import type { LogFormat } from '../../api/config/settings.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'
import type { OutputStream } from '../terminal.ts'
import { type LineFormat, lineFormatOf, toEntryLine, toEventLine } from './log-line.ts'

/** How long lines wait for others, in milliseconds: one write for many makes the log cheap. */
const flushAfter = 50
const maxLines = 250

/** The most bytes that wait for a slow reader; later lines are counted and dropped. */
const maxBufferedBytes = 2 ** 20

export function logRequests(greenhouse: Greenhouse, format: LogFormat, stream: OutputStream, env: NodeJS.ProcessEnv) {
  if (format === 'silent') return () => undefined
  const writer =
    format === 'json' ? createJsonWriter(greenhouse) : createPrettyWriter(greenhouse, lineFormatOf(stream, env))
  let dropped = 0
  let lines: string[] = []
  /** Whether the last write failed: a full disk may have taken the beginning of a line. */
  let isBroken = false
  const write = (text: string, count: number) =>
    stream.write(text, (error?: Error | null) => {
      isBroken = Boolean(error)
      if (error) dropped += count
    })
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const full = lines
    lines = []
    if (stream.writableLength > maxBufferedBytes) dropped += full.length
    else if (full.length > 0) {
      const missing = dropped
      dropped = 0
      if (missing > 0) write((isBroken ? '\n' : '') + writer.dropped(missing), missing)
      write(full.join(''), full.length)
    }
  }
  const add = (line: string) => {
    if (lines.push(line) >= maxLines) flush()
    else timer ??= setTimeout(flush, flushAfter)
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

function createPrettyWriter(greenhouse: Greenhouse, format: LineFormat) {
  return {
    request: (entry: EntryOutline) => toEntryLine(entry, systemNow(), format),
    event(event: LogEvent) {
      const url = event.event === 'delivery' ? hostOf(event.url) : greenhouse.showUrl(event.request)
      return toEventLine(event, url, greenhouse.redact, format)
    },
    dropped: (lines: number) =>
      `${lines} lines are missing: the output was not read fast enough, or could not be written.\n`,
  }
}

function createJsonWriter(greenhouse: Greenhouse): ReturnType<typeof createPrettyWriter> {
  return {
    request: ({ account: _, ...entry }) =>
      toLine({ event: 'request', time: toLogTime(systemNow()), ...entry, ms: toMicros(entry.ms) }),
    event(notice) {
      const { event } = notice
      const time = toLogTime(systemNow())
      if (event === 'delivery') {
        const { world, at, webhook, delivery, type, url, attempt, status, error, ms, next } = notice
        const sent = { webhook, delivery, type, host: hostOf(url), attempt, status }
        const shown = {
          error: error && greenhouse.redact(error),
          ms,
          next_attempt_at: next && toIso(next),
        }
        return toLine({ event, time, at: toIso(at), world, ...sent, ...shown })
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

/** Returns the host of a webhook's URL, because the rest may be a secret. */
function hostOf(url: string): string {
  return toVisible(new URL(url).host)
}

const toLogTime = createIsoWriter()
