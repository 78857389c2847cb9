import type { Exchange } from '../../core/pipeline/exchange.ts'

/** What each fault does to a reply, in words. */
export const faultActs: Readonly<Record<string, string | ((exchange: Exchange) => string)>> = {
  delay: ({ delay }) => `delayed the reply by ${Math.round(delay)} ms`,
  timeout: 'let no reply arrive',
  'network-error': 'let the network fail',
  reset: 'reset the connection',
  'empty-reply': 'closed the connection without a reply',
  garbage: 'sent bytes that are not HTTP in place of the reply',
  truncate: 'cut the body short',
  drip: 'let the body drip',
  'bad-utf8': 'put a byte into the body that is not UTF-8',
  headers: 'changed the headers',
  stale: 'answered with an old reply',
  'clock-skew': 'moved the times in the reply',
}
