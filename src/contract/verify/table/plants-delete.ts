import {
  assertListed,
  deleteMade,
  isListed,
  isPlantGone,
  makePlant,
  poll,
  removePlant,
  settle,
  whyInconclusive,
} from '../plants.ts'
import { gap, type Probe, statusGap, unknown, value } from '../probe.ts'
import type { Session } from '../session.ts'
import { assertSeen, Inconclusive, type ServerReply } from '../wire.ts'
import { makeLongIds } from './plants-create.ts'

export const plantDeleteRules: readonly Probe[] = [
  {
    id: 'plants.delete.gone',
    words: 'DELETE /plants/{id} deletes the plant: it succeeds, and the plant is no longer listed.',
    needs: ['writes'],
    async run(session) {
      const plant = await makePlant(session)
      const inconclusive = await whyInconclusive(session, [plant.name])
      const reply = await removePlant(session, plant.id)
      reply.assert(reply.isSuccess)
      reply.assert(await isPlantGone(session, plant.name), ', and the plant is still listed')
      session.forget(`the plant ${plant.id}`)
      if (inconclusive !== undefined) throw new Inconclusive(inconclusive)
    },
  },
  {
    id: 'plants.delete.single',
    words: 'DELETE /plants/{id} deletes the one plant that the id names, and no other.',
    needs: ['writes'],
    async run(session) {
      const plants = [await makePlant(session), await makePlant(session), await makePlant(session)] as const
      const names = plants.map(({ name }) => name)
      await assertListed(session, names)
      const reply = await deleteMade(session, plants[1])
      reply.assertSucceeded()
      await settle(session)
      for (const { name } of [plants[0], plants[2]])
        reply.assert(await isListed(session, name), ', and another plant is gone too')
    },
  },
  {
    id: 'plants.delete.int64',
    words: 'The id in the path is exact: of two plants whose ids differ in the last bit, the named one is deleted.',
    needs: ['writes'],
    async run(session) {
      const { id, names, even, odd } = await makeLongIds(session)
      assertSeen(even.isSuccess && odd.isSuccess, 'two such plants cannot be created')
      await assertListed(session, names)
      const reply = await deleteMade(session, { id: id + 1n })
      reply.assertSucceeded()
      await settle(session)
      const { names: left } = await poll(session, (all) => all.includes(names[0]) && !all.includes(names[1]))
      reply.assert(left.includes(names[0]), `, and the plant ${id} is gone`)
      reply.assert(!left.includes(names[1]), `, and the plant ${id + 1n} is still listed`)
    },
  },
  {
    id: 'plants.delete.no-body',
    words: 'The reply to a deletion has no body.',
    needs: ['writes'],
    async run(session) {
      const reply = await deleteMade(session, await makePlant(session))
      reply.assertSucceeded()
      reply.assert(reply.text === '', ' with a body')
    },
  },
  {
    id: 'plants.delete.own',
    words: "Another caller's plant can't be deleted.",
    needs: ['writes', 'other-key'],
    async run(session) {
      const { id, name } = await makePlant(session, {}, session.options.otherKey)
      const call = { key: session.options.otherKey! }
      await assertListed(session, [name], call)
      const reply = await removePlant(session, id)
      await settle(session)
      reply.assert(await isListed(session, name, call), `, and another caller's plant is gone`)
    },
  },
]

export const plantDeleteGaps: readonly Probe[] = [
  statusGap('plants.delete.status', ['writes'], { 204: '204', 200: '200' }, async (session) =>
    deleteMade(session, await makePlant(session)),
  ),
  statusGap(
    'plants.delete.unknown',
    ['writes'],
    { 404: '404', 400: '400', 204: '204' },
    deleteUnknown,
    ' to an id that does not exist',
  ),
  statusGap('plants.delete.invalid-id', ['writes'], { 400: '400', 404: '404' }, (session) =>
    removePlant(session, 'greenhouse-verify'),
  ),
  gap('plants.delete.foreign', ['writes', 'other-key'], async (session) => {
    const { id } = await makePlant(session, {}, session.options.otherKey)
    const reply = await removePlant(session, id)
    const from = `${reply} to another caller's plant`
    if (reply.status === 403) return value('403', from)
    const absent = await deleteUnknown(session)
    return reply.status === absent.status
      ? value('404', `${from}, as to one that does not exist`)
      : unknown(`${from}, and ${absent.status} to one that does not exist`, reply)
  }),
  statusGap('plants.unknown-method', ['writes'], { 404: '404', 405: '405' }, ({ client }) =>
    client.call('plants', 'PUT', '/plants', { body: {} }),
  ),
]

function deleteUnknown(session: Session): Promise<ServerReply> {
  return session.once('unknown plant', async () => {
    const { id } = await makePlant(session)
    const reply = await deleteMade(session, { id })
    reply.assertSucceeded()
    return removePlant(session, id)
  })
}
