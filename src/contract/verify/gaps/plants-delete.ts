import { byStatus, unknown, value, type Gap } from '../definitions.ts'
import { deleteMade, makePlant, removePlant } from '../plants.ts'
import type { Session } from '../session.ts'
import { assertSeen, describeReply } from '../verdict.ts'
import { isSuccess, type ServerReply } from '../wire.ts'

export const plantDeleteGaps: readonly Gap[] = [
  {
    id: 'plants.delete.status',
    needs: ['writes'],
    async look(session) {
      const reply = await deleteMade(session, await makePlant(session))
      return byStatus(reply, { 204: '204', 200: '200' }, describeReply(reply))
    },
  },
  {
    id: 'plants.delete.unknown',
    needs: ['writes'],
    async look(session) {
      const reply = await deleteUnknown(session)
      return byStatus(
        reply,
        { 404: '404', 400: '400', 204: '204' },
        `${describeReply(reply)} to an id that does not exist`,
      )
    },
  },
  {
    id: 'plants.delete.invalid-id',
    needs: ['writes'],
    async look(session) {
      const reply = await removePlant(session, 'greenhouse-verify')
      return byStatus(reply, { 400: '400', 404: '404' }, describeReply(reply))
    },
  },
  {
    id: 'plants.delete.foreign',
    needs: ['writes', 'other-key'],
    async look(session) {
      const { id } = await makePlant(session, {}, session.options.otherKey)
      const reply = await removePlant(session, id)
      const from = `${describeReply(reply)} to another caller's plant`
      if (reply.status === 403) return value('403', from)
      const absent = await deleteUnknown(session)
      return reply.status === absent.status
        ? value('404', `${from}, as to one that does not exist`)
        : unknown(`${from}, and ${absent.status} to one that does not exist`, reply)
    },
  },
  {
    id: 'plants.unknown-method',
    needs: ['writes'],
    async look({ client }) {
      const reply = await client.call('plants', 'PUT', '/plants', { body: {} })
      return byStatus(reply, { 404: '404', 405: '405' }, describeReply(reply))
    },
  },
]

function deleteUnknown(session: Session): Promise<ServerReply> {
  return session.once('unknown plant', async () => {
    const { id } = await makePlant(session)
    const reply = await deleteMade(session, { id })
    assertSeen(isSuccess(reply), describeReply(reply))
    return removePlant(session, id)
  })
}
