import { client as apps } from './apps/client.gen.ts'
import { client as plants } from './plants/client.gen.ts'

const auth = process.env['API_KEY']!
plants.setConfig({ baseUrl: process.env['PLANTS_BASE_URL']!, auth })
apps.setConfig({ baseUrl: process.env['APPS_BASE_URL']!, auth })

/** Sends a message and yields the data of the answer's server-sent events. */
export async function* streamMessage(app_id: string, conversation_id: string, content: string) {
  const { stream } = await apps.sse.post({
    url: '/apps/{app_id}/conversations/{conversation_id}/messages',
    path: { app_id, conversation_id },
    body: { content, stream: true },
    headers: { 'Content-Type': 'application/json' },
    security: [{ scheme: 'bearer', type: 'http' }],
    sseMaxRetryAttempts: 1,
  })
  yield* stream
}
