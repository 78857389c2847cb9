import { done, ok } from '../answer.ts'
import { changeKey, createKey, deleteKey, listKeys } from '../keys.ts'
import { defineRoutes } from '../route.ts'

export const keyRoutes = defineRoutes({
  'GET /worlds/{world}/keys': listKeys,
  'POST /worlds/{world}/keys': {
    reads: 'body',
    handle: (call) => call.change(async (world) => ({ status: 201, value: await createKey(world, call) })),
  },
  'PATCH /worlds/{world}/keys/{id}': {
    reads: 'body',
    handle: (call) => call.change(async (world) => ok(await changeKey(world, call.param('id'), call.body))),
  },
  'DELETE /worlds/{world}/keys/{id}': (call) => call.change((world) => done(deleteKey(world, call.param('id')))),
})
