// Uses a client that openapi-typescript and openapi-fetch generate from the document. Half the test is that it compiles
// in strict mode.
import createClient from 'openapi-fetch'
import type { paths as AppPaths } from './node_modules/apps.d.ts'
import type { components, paths as PlantPaths } from './node_modules/plants.d.ts'

const headers = { Authorization: 'Bearer key_pro' }
const plants = createClient<PlantPaths>({ baseUrl: process.argv[2]!, headers })
const apps = createClient<AppPaths>({ baseUrl: process.argv[3]!, headers })

const plant: components['schemas']['NewPlant'] = { id: 4711, name: 'Ficus', tag: 'tree' }
const created = await plants.POST('/plants', { body: plant })
same(created.data, { name: 'Ficus', tag: 'tree' })
const twice = await plants.POST('/plants', { body: plant })
same(twice.error?.error, 400)
const listed = await plants.GET('/plants', { params: { query: { limit: 2 } } })
same(listed.data?.length, 2)
const deleted = await plants.DELETE('/plants/{id}', { params: { path: { id: 4711 } } })
same(deleted.response.status, 204)
const again = await plants.DELETE('/plants/{id}', { params: { path: { id: 4711 } } })
same(again.error?.error, 404)

const app = await apps.POST('/apps', {
  body: { name: 'fern-friend' },
  params: { header: { 'Idempotency-Key': 'once' } },
})
same(app.data?.name, 'fern-friend')
const app_id = app.data!.id
const listedApps = await apps.GET('/apps', { params: { query: { limit: 1, order: 'desc' } } })
same(listedApps.data?.data[0]?.id, app_id)
same(listedApps.data?.has_more, true)
const conversation = await apps.POST('/apps/{app_id}/conversations', {
  params: { path: { app_id } },
  body: { platform: 'web' },
})
const message = await apps.POST('/apps/{app_id}/conversations/{conversation_id}/messages', {
  params: { path: { app_id, conversation_id: conversation.data!.id } },
  body: { content: 'How often should I water a ficus?' },
})
// With `stream: true` the data would be text.
same(typeof message.data === 'object' && message.data.role, 'assistant')
const unnamed = await apps.POST('/apps', { body: { name: '' } })
same(unnamed.error?.error.code, 'invalid_request')
const nowhere = await apps.GET('/apps/{app_id}', { params: { path: { app_id: 'app_none' } } })
same(nowhere.error?.error.code, 'not_found')
// @ts-expect-error: a plant needs a name.
void plants.POST('/plants', { body: { id: 4712 } })
// @ts-expect-error: there is no such path.
void apps.GET('/gardens')
console.log('The generated client got what it was promised.')

function same(got: unknown, wanted: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(wanted))
    throw new Error(`Expected ${JSON.stringify(wanted)}, not ${JSON.stringify(got)}.`)
}
