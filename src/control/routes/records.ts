import type { World } from '../../greenhouse/world.ts'
import { ok, type Answer } from '../answer.ts'
import type { List } from '../answers.ts'
import { check } from '../body.ts'
import type { Call } from '../call.ts'
import { replaceRecords, showRecords } from '../records.ts'
import { defineRoutes } from '../route.ts'
import { recordsSchema } from '../schemas.ts'

/** The data of a world. */
export const recordRoutes = defineRoutes({
  'GET /worlds/{world}/records/{collection}': (call) => ok({ data: showRecords(call.world, call.param('collection')) }),
  'PUT /worlds/{world}/records/{collection}': {
    reads: 'body',
    handle: (call) => call.change((world) => putRecords(call, world)),
  },
})

function putRecords(call: Call, world: World): Answer<List<object>> {
  const given = check(recordsSchema, call.body)
  const name = call.param('collection')
  replaceRecords(world, name, given)
  return ok({ data: showRecords(world, name) })
}
