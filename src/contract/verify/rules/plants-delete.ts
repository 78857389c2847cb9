import type { VerifyRule } from '../definitions.ts'
import { deleteMade, makePlant, removePlant } from '../plants.ts'
import { isPlantGone, isListed, look, settle, whyUnseen } from '../sight.ts'
import { assertKept, assertSeen, describeReply, Unseen } from '../verdict.ts'
import { isSuccess } from '../wire.ts'
import { makeLongIds } from './plants-create.ts'

export const plantDeleteRules: readonly VerifyRule[] = [
  {
    id: 'plants.delete.gone',
    words: 'DELETE /plants/{id} deletes the plant: it succeeds, and the plant is no longer listed.',
    needs: ['writes'],
    async probe(session) {
      const plant = await makePlant(session)
      const unseen = await whyUnseen(session, [plant.name])
      const reply = await removePlant(session, plant.id)
      assertKept(isSuccess(reply), describeReply(reply), reply)
      assertKept(
        await isPlantGone(session, plant.name),
        `${describeReply(reply)}, and the plant is still listed`,
        reply,
      )
      session.forget(`the plant ${plant.id}`)
      if (unseen !== undefined) throw new Unseen(unseen)
    },
  },
  {
    id: 'plants.delete.single',
    words: 'DELETE /plants/{id} deletes the one plant that the id names, and no other.',
    needs: ['writes'],
    async probe(session) {
      const plants = [await makePlant(session), await makePlant(session), await makePlant(session)] as const
      const unseen = await whyUnseen(
        session,
        plants.map(({ name }) => name),
      )
      if (unseen !== undefined) throw new Unseen(unseen)
      const reply = await deleteMade(session, plants[1])
      assertSeen(isSuccess(reply), describeReply(reply))
      await settle(session)
      for (const { name } of [plants[0], plants[2]])
        assertKept(await isListed(session, name), `${describeReply(reply)}, and another plant is gone too`, reply)
    },
  },
  {
    id: 'plants.delete.int64',
    words: 'The id in the path is exact: of two plants whose ids differ in the last bit, the named one is deleted.',
    needs: ['writes'],
    async probe(session) {
      const { id, names, even, odd } = await makeLongIds(session)
      assertSeen(isSuccess(even) && isSuccess(odd), 'two such plants cannot be created')
      const unseen = await whyUnseen(session, names)
      if (unseen !== undefined) throw new Unseen(unseen)
      const reply = await deleteMade(session, { id: id + 1n })
      assertSeen(isSuccess(reply), describeReply(reply))
      await settle(session)
      const { names: left } = await look(session, (all) => all.includes(names[0]) && !all.includes(names[1]))
      assertKept(left.includes(names[0]), `${describeReply(reply)}, and the plant ${id} is gone`, reply)
      assertKept(!left.includes(names[1]), `${describeReply(reply)}, and the plant ${id + 1n} is still listed`, reply)
    },
  },
  {
    id: 'plants.delete.no-body',
    words: 'The reply to a deletion has no body.',
    needs: ['writes'],
    async probe(session) {
      const reply = await deleteMade(session, await makePlant(session))
      assertSeen(isSuccess(reply), describeReply(reply))
      assertKept(reply.text === '', `${describeReply(reply)} with a body`, reply)
    },
  },
  {
    id: 'plants.delete.own',
    words: "Another caller's plant can't be deleted.",
    needs: ['writes', 'other-key'],
    async probe(session) {
      const { id, name } = await makePlant(session, {}, session.options.otherKey)
      const call = { key: session.options.otherKey! }
      const unseen = await whyUnseen(session, [name], call)
      if (unseen !== undefined) throw new Unseen(unseen)
      const reply = await removePlant(session, id)
      await settle(session)
      assertKept(
        await isListed(session, name, call),
        `${describeReply(reply)}, and another caller's plant is gone`,
        reply,
      )
    },
  },
]
