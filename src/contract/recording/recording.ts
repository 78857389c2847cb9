import type { AnyCollection } from '../../core/store/collection.ts'
import { isPlainKey } from '../../core/accounts/accounts.ts'
import { toPairs } from '../../core/http/reply.ts'
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
import type { Recorder, ServiceReply } from '../../proxy/context.ts'
import { framingHeaders } from '../../scenarios/language/fields.ts'
import { escapeOptions } from '../../scenarios/language/options.ts'
import { FirstRecords } from './first-records.ts'
import type { Fields } from '../../core/text/values.ts'

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
