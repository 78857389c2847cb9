import { monotonicNow } from '../../../core/time/clock.ts'
import type { Panel } from '../../data/panel.ts'
import type { Received } from './reply.tsx'
import type { Request } from './request.ts'

/** How many of the newest entries are looked through for a request that was just sent. */
const mostLookedAt = 20

/** Sends a request to the API of the page's origin, and finds it in the traffic. */
export async function send({ transport, api, world }: Panel, request: Request): Promise<Received> {
  const { method, path, headers, body } = request
  const began = monotonicNow()
  const reply = await transport
    .apiFetch(path, {
      method,
      headers: headers.map(([name, value]) => [name, value]),
      cache: 'no-store',
      ...(body !== undefined && { body }),
    })
    .then(async (response) => ({
      status: response.status,
      statusText: response.statusText,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    }))
    .catch((error: unknown) => {
      // What can't be sent at all, such as a header that is none, is told as it is.
      if (error instanceof TypeError && /fetch|network|load/i.test(error.message)) return cut
      throw error
    })
  const ms = monotonicNow() - began
  const page = await api.journal(world.name.peek(), { limit: mostLookedAt }).catch(() => undefined)
  const entry = page?.data.findLast((one) => one.request.method === method && one.request.url.endsWith(path))
  return { ...reply, ms, entry: entry?.id }
}

const cut = { status: 0, statusText: '', headers: {}, body: '' }
