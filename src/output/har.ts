import { byteLength, replyHeader } from '../core/http/reply.ts'
import { splitTarget } from '../core/http/request.ts'
import type { JournalEntry } from '../core/journal/journal-entry.ts'
import { toMicros } from '../core/journal/journal-record.ts'

/** Returns a file in the HTTP Archive format, which browsers' tools read. */
export function toHar(version: string, entries: Har['log']['entries']): Har {
  return {
    log: {
      version: '1.2',
      creator: {
        name: 'greenhouse-mock',
        version,
      },
      entries,
    },
  }
}

/** @param wait how long the client waited for the first byte, in milliseconds */
export function toHarEntry(entry: JournalEntry, toUrl: (path: string) => string, wait: number) {
  const { id, operation, world, account, aborted, pending, scenarios, verdicts, assumptions, cut } =
    entry
  const { response, bytes } = entry
  const time = toMicros(entry.ms)
  return {
    startedDateTime: entry.at,
    time,
    request: toHarRequest(entry.request, toUrl),
    response: {
      status: response.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: Object.entries(response.headers).flatMap(([name, value]) =>
        (response.repeated?.[name] ?? [value]).map((line) => ({
          name,
          value: line,
        })),
      ),
      content: {
        size: bytes ?? 0,
        mimeType: replyHeader(response.headers, 'Content-Type') ?? '',
        text: response.body,
      },
      redirectURL: '',
      // In this format, -1 stands for an unknown size.
      headersSize: -1,
      bodySize: bytes ?? -1,
    },
    cache: {},
    timings: {
      send: 0,
      wait: toMicros(wait),
      receive: toMicros(time - toMicros(wait)),
    },
    // The format leaves names that begin with an underscore to us.
    _reason: entry.reason,
    _violations: entry.violations,
    _greenhouse: {
      id,
      operation,
      world,
      account,
      aborted,
      pending,
      scenarios,
      verdicts,
      assumptions,
      cut,
    },
  }
}

function toHarRequest(
  { method, url, headers, body }: JournalEntry['request'],
  toUrl: (path: string) => string,
) {
  const [, query] = splitTarget(url)
  return {
    method,
    url: url.startsWith('/') ? toUrl(url) : url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toHarPairs(Object.entries(headers)),
    queryString: toHarPairs(new URLSearchParams(query)),
    headersSize: -1,
    bodySize: body === undefined ? 0 : byteLength(body),
    postData: toPostData(headers['content-type'] ?? '', body),
  }
}

function toPostData(mimeType: string, text: string | undefined) {
  if (text === undefined) return undefined
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(mimeType)
  return {
    mimeType,
    text,
    params: isForm ? toHarPairs(new URLSearchParams(text)) : undefined,
  }
}

function toHarPairs(pairs: Iterable<readonly [string, string]>) {
  return Array.from(pairs, ([name, value]) => ({ name, value }))
}

export interface Har {
  readonly log: {
    readonly version: '1.2'
    readonly creator: {
      readonly name: string
      readonly version: string
    }
    readonly entries: readonly ReturnType<typeof toHarEntry>[]
  }
}
