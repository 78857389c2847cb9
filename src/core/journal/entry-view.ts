// The panel's page contains this file, as it does matching.ts.
import { parseTrustedJson } from '../http/json.ts'
import { splitTarget } from '../http/request.ts'
import type { EntryOutline, EntrySummary, JournalEntry } from './journal-entry.ts'

export interface EntryView {
  readonly operation: string | undefined
  readonly account: string | undefined
  readonly status: number
  readonly method: string
  /** The path, without the world's prefix. */
  readonly path: string
  readonly search: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly key: string | undefined
  readonly scenarios: readonly string[]
  readonly assumptions: readonly string[]
  readonly hasViolations: boolean
  text(): string
  hasKey(key: string): boolean
  body(): unknown
  /** Returns whether the journal did not keep this part, or the reader did not get it. */
  lacks(part: EntryPart): boolean
}

export type EntryPart = 'headers' | 'body'

interface ReadEntry extends EntryOutline {
  request: EntryOutline['request'] & Partial<JournalEntry['request']>
  cut?: string[]
}

/** Returns the view of an entry as readers get it, whole or in outline. It compares no keys. */
export function toEntryView(entry: ReadEntry): EntryView {
  const {
    operation,
    account,
    world,
    request,
    response,
    scenarios,
    assumptions,
    violations,
    cut = [],
  } = entry
  const { headers, body } = request
  const [path, search] = splitTarget(request.url)
  return {
    operation,
    account,
    status: response.status,
    method: request.method,
    path: withoutPrefix(path, world),
    search,
    headers: headers ?? {},
    key: undefined,
    scenarios,
    assumptions,
    hasViolations: violations !== undefined,
    text: () => toSearchText(entry),
    hasKey: () => false,
    body: () => parseSentBody(body),
    lacks: (part) => headers === undefined || cut.includes(`request.${part}`),
  }
}

export function parseSentBody(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return parseTrustedJson(text)
  } catch {
    return text
  }
}

export function withoutPrefix(path: string, world: string): string {
  const prefix = `/~${world}`
  if (!path.startsWith(`${prefix}/`)) return path
  return path.slice(prefix.length)
}

interface SearchedEntry extends EntrySummary {
  readonly response: { readonly status: number }
  readonly operation: string | undefined
  readonly scenarios: readonly string[]
}

export function toSearchText({
  request,
  response,
  operation,
  scenarios,
  reason,
}: SearchedEntry): string {
  return [request.method, request.url, response.status, operation, ...scenarios, reason]
    .join(' ')
    .trimEnd()
    .toLowerCase()
}
