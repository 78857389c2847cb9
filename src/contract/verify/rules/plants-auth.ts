import type { VerifyRule } from '../definitions.ts'
import { listAll, makePlant, namesOf, postPlant, removePlant } from '../plants.ts'
import { isListed, settle, whyUnseen } from '../sight.ts'
import { assertKept, tell, Unseen } from '../verdict.ts'

/** A key that does not exist. */
export const wrongKey = 'greenhouse-verify-no-such-key'

/** Every operation of plants asks for a bearer key. */
export const plantAuthRules: readonly VerifyRule[] = [
  {
    id: 'plants.list.auth.missing',
    area: 'plants',
    words: 'GET /plants without a key is answered with 401.',
    async probe({ client }) {
      const reply = await client.call('plants', 'GET', '/plants', { key: null })
      assertKept(reply.status === 401, tell(reply), reply)
    },
  },
  {
    id: 'plants.list.auth.invalid',
    area: 'plants',
    words: 'GET /plants with an unknown key is answered with 401.',
    async probe({ client }) {
      const reply = await client.call('plants', 'GET', '/plants', { key: wrongKey })
      assertKept(reply.status === 401, tell(reply), reply)
    },
  },
  {
    id: 'plants.list.auth.expired',
    area: 'plants',
    words: 'GET /plants with an expired key is answered with 401.',
    needs: ['expired-key'],
    async probe({ client, options }) {
      const reply = await client.call('plants', 'GET', '/plants', { key: options.expiredKey! })
      assertKept(reply.status === 401, tell(reply), reply)
    },
  },
  {
    id: 'plants.list.auth.scheme',
    area: 'plants',
    words: 'A key counts only after "Bearer" and a space.',
    async probe({ client, options }) {
      for (const authorization of [options.key, `Basic ${options.key}`]) {
        const reply = await client.call('plants', 'GET', '/plants', { authorization })
        assertKept(reply.status === 401, `${tell(reply)} without the word Bearer`, reply)
      }
    },
  },
  {
    id: 'plants.create.auth',
    area: 'plants',
    words: 'POST /plants without a good key is answered with 401, and makes nothing.',
    needs: ['writes'],
    async probe(session) {
      for (const key of [null, wrongKey]) {
        const name = session.newName()
        const reply = await postPlant(session, { id: session.newId(), name }, { key })
        assertKept(reply.status === 401, tell(reply), reply)
        await settle(session)
        const isMade = namesOf(await listAll(session)).includes(name)
        assertKept(!isMade, `${tell(reply)}, and the plant is listed`, reply)
      }
    },
  },
  {
    id: 'plants.delete.auth',
    area: 'plants',
    words: 'DELETE /plants/{id} without a good key is answered with 401, and deletes nothing.',
    needs: ['writes'],
    async probe(session) {
      const { id, name } = await makePlant(session)
      const unseen = await whyUnseen(session, [name])
      for (const key of [null, wrongKey]) {
        const reply = await removePlant(session, id, { key })
        assertKept(reply.status === 401, tell(reply), reply)
        if (unseen !== undefined) continue
        await settle(session)
        assertKept(await isListed(session, name), `${tell(reply)}, and the plant is gone`, reply)
      }
      if (unseen !== undefined) throw new Unseen(unseen)
    },
  },
]
