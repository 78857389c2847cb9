import { isTime, monthOf, startOfMonth, toTimestamp } from '../../../core/time/time-text.ts'
import { byValue, gap, inLane, statusGap, unknown, value } from '../probe.ts'
import type { Session } from '../session.ts'
import { assertSeen, Inconclusive, member } from '../wire.ts'

/** The longest wait for a purchase, and the polling interval, in milliseconds. */
const settlingTime = 6_000
const step = 500

const day = 86_400_000

const isTimeText = (value: unknown): value is string => typeof value === 'string' && isTime(value)

/** Probes that cost credits or money, which cannot be undone. */
export const paidGaps = inLane('credits', [
  gap('usage.messages', ['spending'], async ({ session, apps }) => {
    const app = await apps.makeApp()
    const sent = await session.call('POST', await converse(session, app), { body: { content: 'Hello' } })
    assertSeen(sent.isSuccess, `no message can be sent: ${sent}`)
    const reply = await session.call('GET', `${app.path}/usage`)
    const count = member(member(reply.json, 'totals'), 'messages')
    assertSeen(reply.isSuccess && typeof count === 'number', `${reply}, without totals.messages`)
    const from = `after one message and its answer totals.messages is ${count}`
    const known = { 1: 'user', 2: 'both' }[count]
    return byValue(known, from, reply)
  }),
  statusGap('messages.stream.status', ['spending'], { 200: '200', 201: '201' }, async ({ session, apps }) => {
    const path = await converse(session, await apps.first())
    const reply = await session.call('POST', path, { body: { content: 'Hello', stream: true } })
    assertSeen(reply.mediaType === 'text/event-stream', `${reply}, but not with a stream`)
    return reply
  }),
  statusGap(
    'messages.no-credits',
    ['writes'],
    { 403: '403', 400: '400' },
    async ({ session, apps }) => {
      const key = await findPoorKey(session)
      const path = await converse(session, await apps.makeApp({ key }), key)
      return session.call('POST', path, { key, body: { content: 'Hello' } })
    },
    ' to a caller without credits',
  ),
  gap('payments.period', [], async ({ session }) => {
    const reply = await session.call('GET', '/subscription')
    const [from, to] = [member(reply.json, 'period_start'), member(reply.json, 'period_end')]
    assertSeen(reply.isSuccess && isTimeText(from) && isTimeText(to), `${reply}, without a period`)
    const [start, end] = [toTimestamp(from), toTimestamp(to)]
    const days = (end - start) / day
    const seen = `the period from ${from} to ${to} has ${days} days`
    if (days === 30 && isMonthAfter(start, end))
      throw new Inconclusive(`${seen}, which is also a calendar month`, ['30d', 'month'])
    if (days === 30) return value('30d', seen)
    return isMonthAfter(start, end) ? value('month', seen) : unknown(seen, reply)
  }),
  gap('payments.settle', ['spending'], async ({ session }) => {
    const body = { amount: 1, payment_method: 'pm_ok' }
    const reply = await session.call('POST', '/credits/purchases', { body })
    const id = member(reply.json, 'id')
    if (reply.isSuccess) session.bought.push(`1 credit${typeof id === 'string' ? `, with the purchase ${id}` : ''}`)
    assertSeen(reply.isSuccess && typeof id === 'string', `no credits can be bought: ${reply}`)
    if (member(reply.json, 'status') === 'succeeded') return value('instant', 'a purchase succeeds at once')
    const startedAt = session.options.now()
    while (session.options.now() - startedAt < settlingTime) {
      await session.options.wait(step)
      const now = await session.call('GET', `/credits/purchases/${id}`)
      if (member(now.json, 'status') !== 'succeeded') continue
      const seconds = (session.options.now() - startedAt) / 1_000
      const from = `a purchase has succeeded after ${seconds.toFixed(1)} s`
      return seconds > 2 && seconds < 5 ? value('3s', from) : unknown(from, now)
    }
    throw new Inconclusive(
      `a purchase is still pending after ${settlingTime / 1_000} s: a run is too short to show for how long`,
      ['1h'],
    )
  }),
])

async function converse(
  session: Session,
  { path }: { readonly path: string },
  key = session.options.key,
): Promise<string> {
  const reply = await session.call('POST', `${path}/conversations`, { key, body: {} })
  const id = member(reply.json, 'id')
  assertSeen(reply.isSuccess && typeof id === 'string', `no conversation can be started: ${reply}`)
  return `${path}/conversations/${encodeURIComponent(id)}/messages`
}

async function findPoorKey(session: Session): Promise<string> {
  const { key, otherKey } = session.options
  for (const candidate of [key, otherKey]) {
    if (candidate === undefined) continue
    const reply = await session.call('GET', '/credits', { key: candidate })
    if (reply.isSuccess && member(reply.json, 'balance') === 0) return candidate
  }
  throw new Inconclusive('neither --key nor --other-key belongs to a caller without credits')
}

function isMonthAfter(start: number, end: number): boolean {
  const month = monthOf(start) + 1
  const into = start - startOfMonth(month - 1)
  return end === Math.min(startOfMonth(month) + into, startOfMonth(month + 1) - day + (into % day))
}
