import * as z from 'zod/mini'
import { cached } from '../../core/contract/cache.ts'
import { ApiError } from '../../core/contract/errors.ts'
import { readHeaders } from '../../core/http/raw-headers.ts'
import { defaultGap, fromBase64, type Reply, toBytes } from '../../core/http/reply.ts'
import type { MatchedExchange } from '../../core/pipeline/effect.ts'
import {
  toMatchKey,
  toRecordedRequest,
  toServedLocation,
} from '../../core/pipeline/recorded-request.ts'
import { toFingerprint } from '../../core/secrets/known-secrets.ts'
import type { EffectState } from '../../core/world/effective-settings.ts'
import { defineEffect } from '../language/effect-kind.ts'
import { base64, countGiven, headerToken } from '../language/fields.ts'
import { described, optional } from '../../core/contract/zod.ts'

const printable = z
  .string()
  .check(z.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'expected printable characters of Latin-1'))

const recordedReply = z.strictObject({
  request: described(
    z.string().check(z.regex(/^\S+ \//)),
    'The method, the path and the query: "GET /plants?limit=3".',
  ),
  sends: optional(
    z.string(),
    'The body of the request. JSON is compared by its values, other text exactly.',
  ),
  sends_base64: optional(base64, 'The body of a request that is no text.'),
  key: optional(
    z.string(),
    'The key of the request, or a name for it. Without it, the request has no key.',
  ),
  fingerprint: optional(
    z.string(),
    'The fingerprint of the key that the name stands for. That key gets the reply, too.',
  ),
  status: described(z.int().check(z.gte(200), z.lte(599)), 'The status.'),
  phrase: optional(printable, 'The reason phrase, if it is not the usual one.'),
  headers: optional(
    z.record(z.string().check(z.regex(headerToken)), z.union([printable, z.array(printable)])),
    'Headers by name; a list for one that is repeated.',
  ),
  text: optional(z.string(), 'The body, if it is text.'),
  base64: optional(base64, 'The bytes of any other body.'),
  file: optional(
    z.string(),
    'The file with the body, beside the scenario. loadScenarios() and --scenarios read it.',
  ),
  pieces: optional(z.array(z.string()), 'The body of a reply that came in pieces.'),
})

type RecordedReply = z.infer<typeof recordedReply>

/** The replies to equal requests, in their order. */
type Sequence = RecordedReply[]

/** How many replies of each sequence a world has got. */
class Progress implements EffectState<Progress> {
  readonly counts: Map<Sequence, number>

  constructor(counts: ReadonlyMap<Sequence, number> = new Map()) {
    this.counts = new Map(counts)
  }

  get bytes(): number {
    return 64 * this.counts.size
  }

  clone(): Progress {
    return new Progress(this.counts)
  }
}

interface Index {
  /** The sequences by request and fingerprint of the key. */
  readonly sequences: ReadonlyMap<string, Sequence>
  /** The accounts of the keys that the service accepted, by fingerprint. */
  readonly accounts: ReadonlyMap<string, string>
}

/** Returns the id of the account that a key of a recording has at the mock. */
export function accountOfKey(key: string): string {
  return `acct_${key.replaceAll('-', '_')}`
}

const indexes = new WeakMap<readonly RecordedReply[], Index>()

function indexReplies(replies: readonly RecordedReply[]): Index {
  const sequences = new Map<string, Sequence>()
  const accounts = new Map<string, string>()
  for (const reply of replies) {
    const request = toMatchKey(reply)
    const { key, fingerprint } = reply
    const named = key === undefined ? '' : toFingerprint(key)
    const sequence = sequences.get(toIndexKey(named, request)) ?? []
    sequence.push(reply)
    for (const one of fingerprint === undefined ? [named] : [named, fingerprint]) {
      sequences.set(toIndexKey(one, request), sequence)
      if (key !== undefined && reply.status < 300) accounts.set(one, accountOfKey(key))
    }
  }
  return { sequences, accounts }
}

function toIndexKey(fingerprint: string, request: string): string {
  return `${fingerprint} ${request}`
}

function findSequence({ sequences }: Index, exchange: MatchedExchange): Sequence | undefined {
  const request = toRecordedRequest(exchange)
  if (!request) return undefined
  const fingerprint = exchange.secret === undefined ? '' : toFingerprint(exchange.secret)
  return sequences.get(toIndexKey(fingerprint, toMatchKey(request)))
}

/** Lets the mock answer. It accepts the keys that the service accepted. */
function letMockAnswer(
  { accounts }: Index,
  exchange: MatchedExchange,
  scenario: string,
): undefined {
  exchange.note = `scenario ${scenario} has no reply to this request`
  const { secret } = exchange
  if (secret === undefined) return
  const account = accounts.get(toFingerprint(secret))
  if (account !== undefined) exchange.acceptedKey = { secret, account }
}

function recordedBody({ text, base64: bytes, pieces }: RecordedReply): Reply['body'] {
  if (bytes !== undefined) return fromBase64(bytes)
  return text ?? pieces?.join('') ?? null
}

function replayReply(recorded: RecordedReply, exchange: MatchedExchange): Reply {
  const { clock } = exchange.world
  const { status, phrase, headers: written = {}, pieces } = recorded
  const raw = Object.entries(written).flatMap(([name, values]) => {
    const isLocation = name.toLowerCase() === 'location'
    const toServed = (value: string) => (isLocation ? toServedLocation(exchange, value) : value)
    return [values].flat().flatMap((value) => [name, toServed(value)])
  })
  const { headers, toRaw } = readHeaders(raw)
  const reply: Reply = {
    status,
    headers,
    body: recordedBody(recorded),
    bypassesService: true,
    received: { phrase, toRaw },
  }
  if (!pieces) return reply
  const send = async function* (_: Uint8Array, signal?: AbortSignal, gap = defaultGap) {
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) await clock.wait(gap, signal)
      yield toBytes(piece)
    }
  }
  return {
    ...reply,
    wire: { pieces: send },
  }
}

const explanations = new WeakMap<MatchedExchange, string>()

export const recordedEffect = defineEffect({
  name: 'recorded',
  description:
    'Answers each request as a service did: the nth equal request gets the nth reply, and the last one from then on. Requests are equal if method, path, query, body and key are. "proxy --record" writes it.',
  actsOn: 'everything',
  fields: {
    others: optional(
      z.enum(['mock', '404']),
      'What answers a request that was not recorded: the mock (the default), or 404.',
    ),
    replies: described(z.array(recordedReply), 'The replies, in the order of their requests.'),
  },
  check({ replies }) {
    return replies.flatMap(({ text, base64: bytes, file, pieces }, index) => {
      const path = ['replies', index]
      if (file !== undefined)
        return [
          {
            path: [...path, 'file'],
            message: 'is read by loadScenarios() and --scenarios only',
          },
        ]
      if (countGiven(text, bytes, pieces) <= 1) return []
      return [
        {
          path,
          message: 'expected only one of "text", "base64", "file" and "pieces"',
        },
      ]
    })
  },
  create: ({ others = 'mock', replies }, { activation, id }) => {
    const index = cached(indexes, replies, indexReplies)
    const progress = activation.persistentState(`recorded ${id}`, () => new Progress())
    return {
      isCounting: true,
      did: (exchange) => explanations.get(exchange)!,
      respond(exchange) {
        const sequence = findSequence(index, exchange)
        if (!sequence) {
          if (others === 'mock') return letMockAnswer(index, exchange, activation.scenario)
          explanations.set(exchange, 'refused what was not recorded')
          return exchange.toErrorReply(new ApiError('not_found', 'This request was not recorded.'))
        }
        const { counts } = progress
        const all = sequence.length
        const count = Math.min((counts.get(sequence) ?? 0) + 1, all)
        counts.set(sequence, count)
        explanations.set(exchange, `answered with recorded reply ${count} of ${all}`)
        return replayReply(sequence[count - 1]!, exchange)
      },
    }
  },
})
