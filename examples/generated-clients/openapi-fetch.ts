import createClient from 'openapi-fetch'
import type { paths as AppPaths } from './apps.d.ts'
import type { paths as PlantPaths } from './plants.d.ts'

const headers = { Authorization: `Bearer ${process.env['API_KEY']}` }
export const plants = createClient<PlantPaths>({
  baseUrl: process.env['PLANTS_BASE_URL']!,
  headers,
})
export const apps = createClient<AppPaths>({ baseUrl: process.env['APPS_BASE_URL']!, headers })

/** Sends a message and returns the server-sent events of the answer as text. */
export async function streamMessage(app_id: string, conversation_id: string, content: string) {
  const { data } = await apps.POST('/apps/{app_id}/conversations/{conversation_id}/messages', {
    params: { path: { app_id, conversation_id } },
    body: { content, stream: true },
    parseAs: 'text',
  })
  return data
}
