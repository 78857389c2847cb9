/** One thing that a scenario can do, alone, and the request that shows it. */
export interface Situation {
  readonly name: string
  /** The members of a scenario's file that make it. */
  readonly effects: Readonly<Record<string, unknown>>
  readonly method?: string
  readonly path?: string
  /** A JSON body. */
  readonly body?: string
  /** A request that goes before, unobserved. */
  readonly before?: readonly [method: string, path: string]
}

/** A message whose answer comes as a stream. */
const streamed = {
  method: 'POST',
  path: '/v1/apps/app_w33c4cwmhfyfktiv/conversations/conv_streamed/messages',
  body: '{"content":"Hello","stream":true}',
}

const fault = (kind: string, spec: Record<string, unknown> = {}) => ({
  fault: [{ kind, on: '*', ...spec }],
})
const toStream = (spec: Record<string, unknown>) => fault('stream', spec)

/** Every fault. `truncate` and `headers` come in two, which hosts need not treat alike. */
export const faults: readonly Situation[] = [
  { name: 'delay', effects: fault('delay', { fixed: '1h' }) },
  { name: 'timeout', effects: fault('timeout') },
  { name: 'network-error', effects: fault('network-error') },
  { name: 'reset', effects: fault('reset') },
  { name: 'empty-reply', effects: fault('empty-reply') },
  { name: 'garbage', effects: fault('garbage') },
  { name: 'truncate, content_length: honest', effects: fault('truncate', { at: 20 }) },
  {
    name: 'truncate, content_length: lying',
    effects: fault('truncate', { at: 20, content_length: 'lying' }),
  },
  { name: 'drip', effects: fault('drip', { bytes_per_second: 1 }), path: '/plants?limit=1' },
  { name: 'stream, fails: break', effects: toStream({ fails: 'break' }), ...streamed },
  {
    name: 'stream, fails: stall',
    effects: toStream({ fails: 'stall', events: 1, for: '1h' }),
    ...streamed,
  },
  { name: 'stream, fails: error', effects: toStream({ fails: 'error' }), ...streamed },
  { name: 'stream, words_per_second', effects: toStream({ words_per_second: 0.1 }), ...streamed },
  { name: 'bad-utf8', effects: fault('bad-utf8') },
  {
    name: 'headers, set and remove',
    effects: fault('headers', {
      set: { 'Content-Type': 'text/html' },
      remove: ['X-RateLimit-Limit'],
    }),
    path: '/v1/apps',
  },
  {
    name: 'headers, repeat',
    effects: fault('headers', { repeat: ['X-RateLimit-Limit'] }),
    path: '/v1/apps',
  },
  {
    name: 'stale',
    effects: fault('stale', { on: 'plants.list' }),
    before: ['DELETE', '/plants/101'],
  },
  { name: 'clock-skew', effects: fault('clock-skew', { by: '-1h' }), path: '/v1/apps' },
]

/** Every effect that is no fault, most of them in two ways. */
export const effects: readonly Situation[] = [
  { name: 'respond, error', effects: { respond: [{ on: '*', error: 'internal_error' }] } },
  {
    name: 'respond, in_front',
    effects: {
      respond: [
        { on: '*', status: 503, text: 'upstream', in_front: true, headers: { 'Retry-After': '5' } },
      ],
    },
  },
  {
    name: 'recorded',
    effects: {
      recorded: [
        { replies: [{ request: 'GET /plants', key: 'key_pro', status: 203, text: '[]' }] },
      ],
    },
  },
  { name: 'malform', effects: { malform: [{ on: 'plants.list', at: '/0/name', kind: 'null' }] } },
  { name: 'keys, expire', effects: { keys: [{ expire: '0s' }] } },
  { name: 'keys, without', effects: { keys: [{ without: 'plants:read' }] } },
  { name: 'quota', effects: { quota: [{ window: 'minute', remaining: 0 }] }, path: '/v1/apps' },
  { name: 'account', effects: { account: [{ plan: 'lite' }] }, path: '/v1/apps' },
  {
    name: 'assume',
    effects: { assume: { 'plants.delete.unknown': '204' } },
    method: 'DELETE',
    path: '/plants/999999',
  },
  { name: 'records, keep: none', effects: { records: [{ collection: 'plants', keep: 'none' }] } },
  { name: 'records, add', effects: { records: [{ collection: 'plants', add: 3 }] } },
]

/** The scenario's file. */
export function toScenario({ name, effects }: Situation) {
  return { title: name, description: name, covers: name, ...effects }
}
