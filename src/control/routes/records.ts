import { collectionFacts } from '../../greenhouse/inspect/collection-facts.ts'
import { allCollections } from '../../greenhouse/inspect/collections.ts'
import { liveOf } from '../../greenhouse/assembly/live.ts'
import type { World } from '../../greenhouse/world.ts'
import { done, ok, type Answer } from '../answer.ts'
import type { List } from '../answers.ts'
import { check } from '../body.ts'
import type { Call } from '../call.ts'
import { exportCollection, exportWorld } from '../export.ts'
import { listRecords } from '../record-list.ts'
import { changeRecord, createRecord, deleteRecord, showRecord } from '../record.ts'
import { replaceRecords, showRecords } from '../records.ts'
import { defineRoutes } from '../route.ts'
import { recordsSchema } from '../schemas.ts'

export const recordRoutes = defineRoutes({
  'GET /collections': ({ greenhouse }) => ok({ data: collectionFacts(greenhouse.catalogue) }),
  'GET /worlds/{world}/records': ({ world }) => {
    const live = liveOf(world)
    return ok({
      data: allCollections(live).map((one) => ({ name: one.name, size: live.collection(one).count() })),
    })
  },
  'GET /worlds/{world}/records/{collection}': { reads: 'query', handle: listRecords },
  'PUT /worlds/{world}/records/{collection}': {
    reads: 'body',
    handle: (call) => call.change((world) => putRecords(call, world)),
  },
  'POST /worlds/{world}/records/{collection}': {
    reads: 'both',
    handle: (call) => call.change((world) => ({ status: 201, value: createRecord(call, world) })),
  },
  'GET /worlds/{world}/records/{collection}/{id}': (call) => ok(showRecord(call)),
  'PATCH /worlds/{world}/records/{collection}/{id}': {
    reads: 'body',
    handle: (call) => call.change((world) => ok(changeRecord(call, world))),
  },
  'DELETE /worlds/{world}/records/{collection}/{id}': {
    reads: 'query',
    handle: (call) => call.change((world) => done(deleteRecord(call, world))),
  },
  'GET /worlds/{world}/export': exportWorld,
  'GET /worlds/{world}/export/{collection}': exportCollection,
})

function putRecords(call: Call, world: World): Answer<List<object>> {
  const given = check(recordsSchema, call.body)
  const name = call.param('collection')
  replaceRecords(world, name, given)
  return ok({ data: showRecords(world, name) })
}
