import { moveHttpDate, toIso, toMilliseconds, toTimestamp } from '../../core/time/time-text.ts'
import type { Assuming } from '../../core/contract/assumptions.ts'
import { byteLength } from '../../core/http/reply.ts'
import { defineFault } from '../language/effect-kind.ts'
import { described } from '../../core/contract/zod.ts'
import { durationThat } from '../language/fields.ts'

const by = durationThat(
  (value) => Math.abs(toMilliseconds(value)) <= toMilliseconds('36500d'),
  'expected a duration, such as "1h" or "-90s"',
)

export default defineFault({
  kind: 'clock-skew',
  description:
    "The service's clock is wrong: `Date`, `X-RateLimit-Reset` and all times in the body are moved.",
  did: 'moved the times in the reply',
  fields: { by: described(by, 'How far: 1h, or -90s.') },
  create(spec) {
    const skew = toMilliseconds(spec.by)
    return {
      transformReply(exchange, reply) {
        if (reply.status === 0) return reply
        const body =
          typeof reply.body === 'string'
            ? reply.body.replace(
                /(?<=")(\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?=")/g,
                (time) => toMoved(time, skew),
              )
            : reply.body
        const headers = { ...reply.headers }
        if (headers['Date'] !== undefined) headers['Date'] = moveHttpDate(headers['Date'], skew)
        if (headers['X-RateLimit-Reset'] !== undefined)
          headers['X-RateLimit-Reset'] = toSkewed(exchange, headers['X-RateLimit-Reset'], skew)
        // A body in pieces is not here.
        if (body !== null && body !== reply.body && headers['Content-Length'] !== undefined)
          headers['Content-Length'] = String(byteLength(body))
        return {
          ...reply,
          headers,
          body,
        }
      },
    }
  },
})

function toMoved(time: string, skew: number): string {
  try {
    return toIso(toTimestamp(time) + skew)
  } catch {
    return time
  }
}

function toSkewed(exchange: Assuming, reset: string, skew: number): string {
  if (!/^\d/.test(reset)) return reset
  switch (exchange.assume('rate-limit.reset-unit')) {
    case 'epoch-seconds':
      return String(Number(reset) + Math.round(skew / 1_000))
    case 'epoch-milliseconds':
      return String(Number(reset) + skew)
    case 'iso-8601':
      return toMoved(reset, skew)
    case 'delta-seconds':
      return reset
  }
}
