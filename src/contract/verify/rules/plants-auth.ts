import type { VerifyRule } from '../definitions.ts'
import { listAll, makePlant, namesOf, postPlant, removePlant } from '../plants.ts'
import { isListed, settle, whyUnseen } from '../sight.ts'
import { assertKept, describeReply, Unseen } from '../verdict.ts'
import { keyRules, wrongKey } from './auth.ts'

export const plantAuthRules: readonly VerifyRule[] = [
  ...keyRules('plants', 'plants.list', 'GET /plants'),
  {
    id: 'plants.create.auth',
    words: 'POST /plants without a valid key is answered with 401, and creates nothing.',
    needs: ['writes'],
    async probe(session) {
      for (const key of [null, wrongKey]) {
        const name = session.newName()
        const reply = await postPlant(session, { id: session.newId(), name }, { key })
        assertKept(reply.status === 401, describeReply(reply), reply)
        await settle(session)
        const isMade = namesOf(await listAll(session)).includes(name)
        assertKept(!isMade, `${describeReply(reply)}, and the plant is listed`, reply)
      }
    },
  },
  {
    id: 'plants.delete.auth',
    words: 'DELETE /plants/{id} without a valid key is answered with 401, and deletes nothing.',
    needs: ['writes'],
    async probe(session) {
      const { id, name } = await makePlant(session)
      const unseen = await whyUnseen(session, [name])
      for (const key of [null, wrongKey]) {
        const reply = await removePlant(session, id, { key })
        assertKept(reply.status === 401, describeReply(reply), reply)
        if (unseen !== undefined) continue
        await settle(session)
        assertKept(await isListed(session, name), `${describeReply(reply)}, and the plant is gone`, reply)
      }
      if (unseen !== undefined) throw new Unseen(unseen)
    },
  },
]
