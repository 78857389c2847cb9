import { monotonicNow } from '../../../core/time/clock.ts'
import type { Panel } from '../../data/panel.ts'
import type { ReceivedReply } from './reply.tsx'
import type { DocsRequest as Filled } from './request.ts'

const journalSearchLimit = 20

export async function sendFromDocs({ transport, api, world }: Panel, request: Filled): Promise<ReceivedReply> {
  const { method, path, headers, body } = request
  const init: RequestInit = {
    method,
    headers: headers.map(([name, value]) => [name, value]),
    cache: 'no-store',
    body,
  }
  // Throws for a request that can't be sent, e.g. with an invalid header; and normalizes the method: `get` is GET.
  const { method: sent } = new Request('http://any', init)
  const began = monotonicNow()
  const reply = await transport
    .apiFetch(path, init)
    .then(async (response) => ({
      status: response.status,
      statusText: response.statusText,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    }))
    .catch((error: unknown) => {
      if (error instanceof TypeError && /fetch|network|load/i.test(error.message)) return cut
      throw error
    })
  const ms = monotonicNow() - began
  const page = await api.journal(world.name.peek(), { limit: journalSearchLimit }).catch(() => undefined)
  const entry = page?.data.findLast((one) => one.request.method === sent && one.request.url.endsWith(path))
  return { ...reply, ms, entry: entry?.id }
}

const cut = { status: 0, statusText: '', headers: {}, body: '' }
