import { ok } from '../answer.ts'
import { changeKey, createKey, showKeys } from '../keys.ts'
import { defineRoutes } from '../route.ts'

/** The keys of a world. */
export const keyRoutes = defineRoutes({
  'GET /worlds/{world}/keys': ({ world }) => ok({ data: showKeys(world) }),
  'POST /worlds/{world}/keys': {
    reads: 'body',
    handle: (call) => call.change(async (world) => ({ status: 201, value: await createKey(world, call.body) })),
  },
  'PATCH /worlds/{world}/keys/{id}': {
    reads: 'body',
    handle: (call) => call.change(async (world) => ok(await changeKey(world, call.param('id'), call.body))),
  },
})
