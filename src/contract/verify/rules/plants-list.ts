import type { VerifyRule } from '../definitions.ts'
import { fillUp, findLimitName, listAll, fetchPlants, makePlant, namesOf, plantsOf } from '../plants.ts'
import { settle, whyUnseen } from '../sight.ts'
import { assertKept, assertSeen, describeReply, Unseen } from '../verdict.ts'
import { isSuccess, member } from '../wire.ts'

export const plantListRules: readonly VerifyRule[] = [
  {
    id: 'plants.list.reply',
    words: 'GET /plants is answered with a JSON array of plants: each has a name and an optional tag, both strings.',
    async probe(session) {
      const reply = await fetchPlants(session)
      assertSeen(isSuccess(reply), describeReply(reply))
      assertKept(Array.isArray(reply.json), 'the body is not a JSON array', reply)
      const wrong = reply.json.findIndex((plant) => !isPlant(plant))
      assertKept(wrong < 0, `item ${wrong} of the list is not a plant: ${JSON.stringify(reply.json[wrong])}`, reply)
    },
  },
  {
    id: 'plants.list.limit',
    words: 'The query parameter caps how many plants are returned: exactly that many, if there are that many.',
    async probe(session) {
      const name = await findLimitName(session)
      assertSeen(name !== undefined, 'none of the known names of the parameter caps the list')
      await fillUp(session)
      for (const limit of [1, 3]) {
        const reply = await fetchPlants(session, { query: `${name}=${limit}` })
        const { length } = plantsOf(reply)
        if (length < limit)
          assertSeen(plantsOf(await fetchPlants(session)).length >= limit, 'too few plants are listed')
        assertKept(length === limit, `${length} plants are returned with ${name}=${limit}`, reply)
      }
    },
  },
  {
    id: 'plants.list.own',
    words: "Another caller's plants are not listed.",
    needs: ['writes', 'other-key'],
    async probe(session) {
      const { name } = await makePlant(session, {}, session.options.otherKey)
      const unseen = await whyUnseen(session, [name], { key: session.options.otherKey! })
      await settle(session)
      const reply = await listAll(session)
      assertKept(!namesOf(reply).includes(name), "another caller's plant is in the list", reply)
      if (unseen !== undefined) throw new Unseen(unseen)
    },
  },
]

function isPlant(value: unknown): boolean {
  const tag = member(value, 'tag')
  return typeof member(value, 'name') === 'string' && (tag === undefined || typeof tag === 'string')
}
