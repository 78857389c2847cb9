import type { World } from 'greenhouse-mock'
import { observe, type Outcome, type Send } from './outcome.ts'
import type { Situation } from './situations.ts'

/** The result of a situation: of a request, or of activating its scenario. */
export type Observed = Outcome | 'refused when switched on' | 'ends the process'

/** Activates the scenario `situation` in a world, sends its request, and returns the result. */
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

/** Describes the result of a situation. @param plain the result of the same request without a scenario. */
export function toWords(observed: Observed, plain?: Observed): string {
  if (typeof observed === 'string') return observed
  const { reply, failure, held } = observed
  if (reply && failure) return `${failure} after ${reply.bytes.length} bytes`
  if (failure) return failure
  const isChanged = typeof plain === 'object' && JSON.stringify(untraced(plain)) !== JSON.stringify(untraced(observed))
  return `${isChanged ? 'a changed reply' : 'the reply'}${held ? ', held back' : ''}`
}

/** Without this header, which shows whether a scenario acted, replies may be equal. */
function untraced({ reply }: Outcome) {
  return reply && { ...reply, headers: reply.headers.filter(([name]) => name !== 'x-greenhouse') }
}
