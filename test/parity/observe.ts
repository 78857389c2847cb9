import type { World } from 'greenhouse-mock'
import { observe, type Outcome, type Send } from './outcome.ts'
import type { Situation } from './situations.ts'

/** What came of a situation: of a request, or of the attempt to switch its scenario on. */
export type Observed = Outcome | 'refused when switched on' | 'ends the process'

/** Switches the scenario `situation` on in a world, sends the request that shows it, and tells what came of it. */
export async function observeSituation(
  send: Send,
  world: World,
  { method = 'GET', path = '/plants', body, before }: Situation,
  start: string,
): Promise<Outcome> {
  world.clock.freeze()
  world.clock.set(start)
  world.use('situation')
  const init = {
    headers: { authorization: 'Bearer key_pro', ...(body !== undefined && { 'content-type': 'application/json' }) },
  }
  if (!world.records.conversations.get('conv_streamed'))
    await world.records.conversations.create({
      id: 'conv_streamed',
      account: 'acct_pro',
      app: 'app_w33c4cwmhfyfktiv',
      user: null,
      platform: 'web',
      created_at: 0,
    })
  if (before) {
    await (await send(path, init)).text()
    await (await send(before[1], { ...init, method: before[0] })).text()
  }
  return observe(send, world, path, { ...init, method, ...(body !== undefined && { body }) })
}

/** What came of a situation, in words. @param plain what comes of the same request when nothing is switched on. */
export function toWords(observed: Observed, plain?: Observed): string {
  if (typeof observed === 'string') return observed
  const { reply, failure, held } = observed
  if (reply && failure) return `${failure} after ${reply.bytes.length} bytes`
  if (failure) return failure
  const isChanged = typeof plain === 'object' && JSON.stringify(untraced(plain)) !== JSON.stringify(untraced(observed))
  return `${isChanged ? 'a changed reply' : 'the reply'}${held ? ', held back' : ''}`
}

/** Whether a scenario acted is told by this header also where the reply is the same. */
function untraced({ reply }: Outcome) {
  return reply && { ...reply, headers: reply.headers.filter(([name]) => name !== 'x-greenhouse') }
}
