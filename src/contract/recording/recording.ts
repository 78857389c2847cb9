import type { AnyCollection } from '../../core/store/collection.ts'
import { isPlainKey } from '../../core/accounts/accounts.ts'
import { toPairs, toText } from '../../core/http/reply.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import {
  findersOf,
  toBase64,
  toExactText,
  toRecordedLocation,
  toRecordedRequest,
} from '../../core/pipeline/recorded-request.ts'
import { hideBody, hideHeader } from '../../core/secrets/secrets.ts'
import { toFingerprint } from '../../core/secrets/known-secrets.ts'
import { toYamlLines } from '../../output/yaml-text.ts'
import type { Recorder, ServiceReply } from '../../proxy/message.ts'
import { framingHeaders } from '../../scenarios/language/fields.ts'
import { escapeOptions } from '../../scenarios/language/options.ts'
import { type Fields, itemsOf } from '../../core/text/values.ts'
import { cached } from '../../core/contract/cache.ts'
import { isObject } from '../../core/contract/options.ts'
import { parseJsonOr, toJson } from '../../core/http/json.ts'
import type { Operation } from '../../core/pipeline/operation.ts'
import { toShape } from '../../core/store/validation-message.ts'
import { accountOfKey } from '../../scenarios/effects/recorded.ts'
import { acceptsNull, formOf } from '../../fixtures/forms.ts'

/** Where a recording goes. */
export interface RecordingFiles {
  /** Adds text to the scenario. */
  append(text: string): void
  /** Writes a file of the scenario, such as a large body. */
  writeBody(name: string, bytes: Uint8Array): void
  /** Replaces the fixtures, at some time soon. */
  writeFixtures(toText: () => string): void
}

/** The summary of a recording at its end. */
export interface RecordingSummary {
  readonly folder: string
  readonly service: string
  readonly replies: number
  readonly records: number
  /**
   * The parts left out: replies by their reason, with a number; records by collection, with the
   * reason.
   */
  readonly leftOut: Readonly<Record<string, number | string>>
  /** Why files could not be written. */
  readonly failure: string | undefined
}

/** The most replies of a recording, and the most bytes of their bodies. */
const maxReplies = 10_000
const maxBytes = 2 ** 28

/** A larger body has its own file, in bytes. */
const largestInline = 8_192

/**
 * Headers that say how and when a reply was sent, not what it is. They are made again when the
 * recording answers.
 */
const unrecordedHeaders = [...framingHeaders, 'date', 'via']

/** Writes what a real service answers as a scenario, reply by reply. */
export class Recording implements Recorder {
  readonly #files: RecordingFiles
  readonly #service: string
  readonly #records: FirstRecords
  /** The names that keys have in the recording, by fingerprint. */
  readonly #namesOfKeys = new Map<string, string>()
  readonly #leftOut = new Map<string, number>()
  #count = 0
  #bytes = 0

  constructor(
    files: RecordingFiles,
    service: string,
    collections: Readonly<Record<string, AnyCollection>>,
  ) {
    this.#files = files
    this.#service = service
    this.#records = new FirstRecords(collections)
  }

  /** Counts a reply that the recording does not have, by the reason. */
  leaveOut(why: string): void {
    this.#leftOut.set(why, (this.#leftOut.get(why) ?? 0) + 1)
  }

  add(exchange: Exchange, reply: ServiceReply): void {
    const request = toRecordedRequest(exchange)
    if (!request) return this.leaveOut('the body of the request was too large')
    if (this.#count >= maxReplies) return this.leaveOut(`more than ${maxReplies} replies`)
    if (this.#bytes + reply.body.length > maxBytes)
      return this.leaveOut(`more than ${maxBytes} bytes of bodies`)
    if (this.#count === 0) this.#files.append(headOfScenario(this.#service))
    this.#count++
    this.#bytes += reply.body.length
    const key = this.#keyOf(exchange)
    this.#files.append(
      toYamlItem({
        ...request,
        ...key,
        ...this.#describe(exchange, reply),
      }),
    )
    if (this.#records.add(exchange, reply, key?.key))
      this.#files.writeFixtures(() => this.#records.toText())
  }

  summarize(folder: string, failure: string | undefined): RecordingSummary {
    return {
      folder,
      service: this.#service,
      replies: this.#count,
      records: this.#records.count,
      leftOut: {
        ...Object.fromEntries(this.#leftOut),
        ...Object.fromEntries(this.#records.leftOut),
      },
      failure,
    }
  }

  /** Returns the name that the recording has for the key of a request. */
  #keyOf({ secret }: Exchange):
    | {
        key: string
        fingerprint?: string
      }
    | undefined {
    if (secret === undefined) return undefined
    if (isPlainKey(secret)) return { key: secret }
    const fingerprint = toFingerprint(secret)
    const key =
      this.#namesOfKeys.get(fingerprint) ?? `recorded-${toLetters(this.#namesOfKeys.size)}`
    this.#namesOfKeys.set(fingerprint, key)
    return { key, fingerprint }
  }

  /** Returns the members of a reply in the scenario. A large body is written to a file. */
  #describe(exchange: Exchange, { status, phrase, raw, body, pieces }: ServiceReply) {
    const finders = findersOf(exchange)
    const described = {
      status,
      phrase,
      headers: toRecordedHeaders(exchange, raw),
    }
    if (body.length === 0) return described
    const text = toExactText(body)
    const type = toPairs(raw).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
    const hide = (shown: string) => hideBody(shown, type, finders)
    if (body.length > largestInline) {
      const name = `${String(this.#count).padStart(5, '0')}.${text === undefined ? 'bin' : 'txt'}`
      this.#files.writeBody(name, text === undefined ? body : new TextEncoder().encode(hide(text)))
      return {
        ...described,
        file: `recorded/${name}`,
      }
    }
    if (text === undefined)
      return {
        ...described,
        base64: toBase64(body),
      }
    // A stream keeps its pieces, unless one ends inside a character.
    const parts = (pieces ?? []).flatMap((piece) => toExactText(piece) ?? [])
    if (parts.length > 1 && parts.length === pieces?.length)
      return {
        ...described,
        pieces: parts.map(hide),
      }
    return {
      ...described,
      text: hide(text),
    }
  }
}

/** Returns headers by name, with a list for one that is repeated. */
function toRecordedHeaders(
  exchange: Exchange,
  raw: readonly string[],
): Record<string, string | string[]> {
  const finders = findersOf(exchange)
  const headers: Record<string, string | string[]> = {}
  for (const [name, sent] of toPairs(raw)) {
    const lowerName = name.toLowerCase()
    if (unrecordedHeaders.includes(lowerName)) continue
    const value = lowerName === 'location' ? toRecordedLocation(exchange, sent) : sent
    const shown = hideHeader(name, value, finders)
    const isRepeated = Object.hasOwn(headers, name)
    headers[name] = isRepeated ? [headers[name] ?? [], shown].flat() : shown
  }
  return headers
}

const orderOfReplies = 'Each equal request gets the next reply, and the last one from then on.'

/** Returns the scenario up to its replies, which are appended one by one. */
function headOfScenario(service: string): string {
  const others = {
    description: 'What answers a request that was not recorded.',
    values: ['mock', '404'],
    default: 'mock',
  }
  const head = {
    title: 'Recorded',
    description: `Answers requests as ${service} did. ${orderOfReplies}`,
    covers: 'What the client does with the replies of a real service.',
    options: { others },
  }
  const lines = [
    ...toYamlLines(
      head,
      (name) => name === 'options',
      () => false,
    ),
  ].join('\n')
  return `${lines}\nrecorded:\n  - others: \${others}\n    replies:\n`
}

const isOpenField = (name: string) => name === 'headers' || name === 'pieces'

function toYamlItem(fields: Fields): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== '')
  const escaped = escapeOptions(Object.fromEntries(shown)) as object
  const lines = [...toYamlLines(escaped, isOpenField, () => false, '        ')].join('\n')
  return `      - ${lines.trimStart()}\n`
}

/** Numbers keys by letters: `a` to `z`, then `aa`. */
function toLetters(index: number): string {
  const letter = String.fromCharCode(97 + (index % 26))
  if (index < 26) return letter
  return toLetters(Math.floor(index / 26) - 1) + letter
}

/**
 * Collections whose records a reply does not show as fixtures write them. A recording makes
 * accounts and keys itself.
 */
const notRecorded = new Set(['accounts', 'keys', 'plans'])

/** The records that replies showed before the first change of their collection. */
class FirstRecords {
  readonly #definitions: Readonly<Record<string, AnyCollection>>
  /** The records by collection and id. */
  readonly #records = new Map<string, Map<string, Fields>>()
  readonly #changed = new Set<string>()
  readonly #owners = new Map<string, string>()
  /** Why records are not in the fixtures, by collection. */
  readonly leftOut = new Map<string, string>()

  constructor(definitions: Readonly<Record<string, AnyCollection>>) {
    this.#definitions = definitions
  }

  get count(): number {
    let count = 0
    for (const records of this.#records.values()) count += records.size
    return count
  }

  /**
   * Takes the records of a reply. @param key the name of the key. Returns whether there are new
   * ones.
   */
  add(
    exchange: Exchange,
    {
      status,
      body,
    }: {
      status: number
      body: Uint8Array
    },
    key: string | undefined,
  ): boolean {
    const { operation, path } = exchange
    if (!operation || key === undefined || status >= 300) return false
    const name = this.#collectionOf(operation)
    if (name === undefined) return false
    if (operation.method !== 'GET') {
      this.#changed.add(name)
      return false
    }
    if (notRecorded.has(name) || this.#changed.has(name)) return false
    const json = parseJsonOr(toText(body), undefined)
    const shown = itemsOf(json) ?? [json]
    const params = paramsInPath(operation.path, path)
    const before = this.count
    for (const one of shown) if (isObject(one)) this.#keep(name, { ...params, ...one }, one, key)
    return this.count > before
  }

  /** Returns the fixtures, without records that refer to others which no reply showed. */
  toText(): string {
    const owners = [...this.#owners]
    const fixtures: Record<string, Fields[]> = {
      accounts: owners.map(([key, id]) => ({
        id,
        name: key,
        email: `${id}@example.com`,
        plan: 'pro',
      })),
      keys: owners.map(([key, account]) => ({
        secret: key,
        account,
      })),
    }
    const known = new Set<unknown>(owners.map(([, id]) => id))
    // A collection refers to those before it.
    for (const [name, { refers = {} }] of Object.entries(this.#definitions)) {
      const isWhole = (record: Fields) =>
        Object.keys(refers).every(
          (field) => typeof record[field] !== 'string' || known.has(record[field]),
        )
      const kept = Array.from(this.#records.get(name)?.values() ?? []).filter(isWhole)
      if (kept.length > 0) fixtures[name] = kept
      for (const { id } of kept) known.add(id)
    }
    return `${toJson(fixtures)}\n`
  }

  #keep(name: string, given: Fields, shown: Fields, key: string) {
    const { id } = shown
    if (id === undefined) return void this.leftOut.set(name, 'replies show no ids')
    const records = cached(this.#records, name, () => new Map<string, Fields>())
    if (records.has(String(id))) return
    const account = accountOfKey(key)
    const { schema } = formOf(this.#definitions[name]!)
    const fields: Record<string, unknown> = {}
    for (const [field, part] of Object.entries(toShape(schema))) {
      const value = field === 'account' ? account : (given[field] ?? given[`${field}_id`])
      if (value !== undefined && (value !== null || acceptsNull(part))) fields[field] = value
    }
    const { error } = schema.safeParse(fields)
    if (error) {
      const [lacking] = error.issues.map((issue) => issue.path.join('.'))
      return void this.leftOut.set(name, `replies lack ${lacking}`)
    }
    this.#owners.set(key, account)
    records.set(String(id), fields)
  }

  /** The last name of a path is that of the collection: `/apps/{app_id}/users/{user_id}`. */
  #collectionOf({ path }: Operation): string | undefined {
    const last = path.split('/').findLast((part) => !part.startsWith('{'))
    return Object.keys(this.#definitions).find((name) => name === last)
  }
}

function paramsInPath(pattern: string, path: string): Record<string, string> {
  const parts = path.split('/')
  return Object.fromEntries(
    pattern.split('/').map((name, index) => [name.slice(1, -1), parts[index] ?? '']),
  )
}
