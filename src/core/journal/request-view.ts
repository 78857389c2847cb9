import { toSecret } from '../accounts/known-callers.ts'
import { parseCustomJson } from '../http/json.ts'
import { headerOf, splitTarget } from '../http/request.ts'
import { toFingerprint } from '../secrets/fingerprint.ts'
import type { JournalEntry } from './journal-entry.ts'
import { bodyCap, type JournalRecord } from './journal-record.ts'
import { withoutWorld } from '../secrets/secret-spans.ts'

export interface RequestView {
  readonly operation: string | undefined
  readonly account: string | undefined
  readonly status: number
  readonly method: string
  /** The path, without the world's prefix. */
  readonly path: string
  readonly search: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly keys: readonly string[]
  body(): unknown
  lacks(part: 'path' | 'headers' | 'body'): boolean
}

let decoder: TextDecoder | undefined

export function toView(record: JournalRecord): RequestView {
  const { operation, account, method, path, search, headers, body, omitted, world, isTooLarge } = record
  return {
    operation,
    account,
    status: record.reply.status,
    method,
    path: withoutPrefix(path, world),
    search,
    headers,
    get keys() {
      const secret = toSecret(headerOf(record, 'authorization'))
      if (secret === undefined) return []
      const key = withoutWorld(secret)
      return [key, toFingerprint(key)]
    },
    body: () => (body === undefined ? undefined : parse((decoder ??= new TextDecoder()).decode(body))),
    lacks(part) {
      if (part === 'path') return omitted?.includes('request.url') ?? false
      if (part === 'headers') return omitted?.includes('request.headers') ?? false
      return isTooLarge || (omitted?.includes('request.body') ?? false) || (body?.length ?? 0) > bodyCap
    },
  }
}

export function toShownView({ operation, account, world, request, response, omitted }: JournalEntry): RequestView {
  const [path, search] = splitTarget(request.url)
  return {
    operation,
    account,
    status: response.status,
    method: request.method,
    path: withoutPrefix(path, world),
    search,
    headers: request.headers,
    get keys() {
      const secret = toSecret(request.headers['authorization'])
      return secret === undefined ? [] : [withoutWorld(secret)]
    },
    body: () => (request.body === undefined ? undefined : parse(request.body)),
    lacks: (part) => omitted?.includes(part === 'path' ? 'request.url' : `request.${part}`) ?? false,
  }
}

function withoutPrefix(path: string, world: string): string {
  const prefix = `/~${world}`
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return parseCustomJson(text)
  } catch {
    return text
  }
}
