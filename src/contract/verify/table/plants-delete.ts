import { gap, type ProbeTools, rule, statusGap, unknown, value } from '../probe.ts'
import { assertSeen, Inconclusive, type ServerReply } from '../wire.ts'
import { makeLongIds } from './plants-create.ts'

export const plantDeleteRules = [
  rule(
    'plants.delete.gone',
    'DELETE /plants/{id} deletes the plant: it succeeds, and the plant is no longer listed.',
    ['writes'],
    async ({ plants }) => {
      const { id, name } = await plants.make()
      const inconclusive = await plants.whyInconclusive([name])
      const reply = await plants.remove(id)
      reply.assert(reply.isSuccess)
      reply.assert(await plants.isGone(name), ', and the plant is still listed')
      plants.forget(id)
      if (inconclusive !== undefined) throw new Inconclusive(inconclusive)
    },
  ),
  rule(
    'plants.delete.single',
    'DELETE /plants/{id} deletes the one plant that the id names, and no other.',
    ['writes'],
    async ({ plants }) => {
      const [one, wanted, other] = [await plants.make(), await plants.make(), await plants.make()]
      await plants.assertListed([one.name, wanted.name, other.name])
      const reply = await plants.removeMade(wanted)
      reply.assertSucceeded()
      await plants.settle()
      for (const { name } of [one, other]) reply.assert(await plants.isListed(name), ', and another plant is gone too')
    },
  ),
  rule(
    'plants.delete.int64',
    'The id in the path is exact: of two plants whose ids differ in the last bit, the named one is deleted.',
    ['writes'],
    async (tools) => {
      const { plants } = tools
      const { id, names, even, odd } = await makeLongIds(tools)
      assertSeen(even.isSuccess && odd.isSuccess, 'two such plants cannot be created')
      await plants.assertListed(names)
      const reply = await plants.removeMade({ id: id + 1n })
      reply.assertSucceeded()
      await plants.settle()
      const { names: left } = await plants.poll((all) => all.includes(names[0]) && !all.includes(names[1]))
      reply.assert(left.includes(names[0]), `, and the plant ${id} is gone`)
      reply.assert(!left.includes(names[1]), `, and the plant ${id + 1n} is still listed`)
    },
  ),
  rule('plants.delete.no-body', 'The reply to a deletion has no body.', ['writes'], async ({ plants }) => {
    const reply = await plants.removeMade(await plants.make())
    reply.assertSucceeded()
    reply.assert(reply.text === '', ' with a body')
  }),
  rule(
    'plants.delete.own',
    "Another caller's plant can't be deleted.",
    ['writes', 'other-key'],
    async ({ session, plants }) => {
      const call = { key: session.options.otherKey! }
      const { id, name } = await plants.make({}, call.key)
      await plants.assertListed([name], call)
      const reply = await plants.remove(id)
      await plants.settle()
      reply.assert(await plants.isListed(name, call), `, and another caller's plant is gone`)
    },
  ),
]

export const plantDeleteGaps = [
  statusGap('plants.delete.status', ['writes'], { 204: '204', 200: '200' }, async ({ plants }) =>
    plants.removeMade(await plants.make()),
  ),
  statusGap(
    'plants.delete.unknown',
    ['writes'],
    { 404: '404', 400: '400', 204: '204' },
    deleteUnknown,
    ' to an id that does not exist',
  ),
  statusGap('plants.delete.invalid-id', ['writes'], { 400: '400', 404: '404' }, ({ plants }) =>
    plants.remove('greenhouse-verify'),
  ),
  gap('plants.delete.foreign', ['writes', 'other-key'], async (tools) => {
    const { session, plants } = tools
    const { id } = await plants.make({}, session.options.otherKey)
    const reply = await plants.remove(id)
    const from = `${reply} to another caller's plant`
    if (reply.status === 403) return value('403', from)
    const absent = await deleteUnknown(tools)
    return reply.status === absent.status
      ? value('404', `${from}, as to one that does not exist`)
      : unknown(`${from}, and ${absent.status} to one that does not exist`, reply)
  }),
  statusGap('plants.unknown-method', ['writes'], { 404: '404', 405: '405' }, ({ session }) =>
    session.call('PUT', '/plants', { body: {} }),
  ),
]

function deleteUnknown({ session, plants }: ProbeTools): Promise<ServerReply> {
  return session.once('unknown plant', async () => {
    const plant = await plants.make()
    const reply = await plants.removeMade(plant)
    reply.assertSucceeded()
    return plants.remove(plant.id)
  })
}
