import type { AreaName } from '../../../areas/event-types.ts'
import { appRules, codeOf, fetchApps } from '../apps.ts'
import type { VerifyCall } from '../client.ts'
import type { VerifyRule } from '../finding.ts'
import {
  assertListed,
  assertNotMade,
  deleteMade,
  fetchPlants,
  fillUp,
  findLimitName,
  isListed,
  isPlantGone,
  listAll,
  makePlant,
  namesOf,
  plantsOf,
  poll,
  postPlant,
  removePlant,
  settle,
  whyInconclusive,
} from '../plants.ts'
import { assertOfMinute, firstRejected, quotaOf, spendAll } from '../rate-limit.ts'
import type { SessionOptions } from '../session.ts'
import {
  assertHolds,
  assertSeen,
  assertStatus,
  assertSucceeded,
  describeReply,
  Inconclusive,
  isSuccess,
  member,
} from '../wire.ts'
import { makeLongIds, plantCreateRules } from './plants-create.ts'

const plantDeleteRules: readonly VerifyRule[] = [
  {
    id: 'plants.delete.gone',
    words: 'DELETE /plants/{id} deletes the plant: it succeeds, and the plant is no longer listed.',
    needs: ['writes'],
    async probe(session) {
      const plant = await makePlant(session)
      const inconclusive = await whyInconclusive(session, [plant.name])
      const reply = await removePlant(session, plant.id)
      assertHolds(isSuccess(reply), describeReply(reply), reply)
      assertHolds(
        await isPlantGone(session, plant.name),
        `${describeReply(reply)}, and the plant is still listed`,
        reply,
      )
      session.forget(`the plant ${plant.id}`)
      if (inconclusive !== undefined) throw new Inconclusive(inconclusive)
    },
  },
  {
    id: 'plants.delete.single',
    words: 'DELETE /plants/{id} deletes the one plant that the id names, and no other.',
    needs: ['writes'],
    async probe(session) {
      const plants = [await makePlant(session), await makePlant(session), await makePlant(session)] as const
      const names = plants.map(({ name }) => name)
      await assertListed(session, names)
      const reply = await deleteMade(session, plants[1])
      assertSucceeded(reply)
      await settle(session)
      for (const { name } of [plants[0], plants[2]])
        assertHolds(await isListed(session, name), `${describeReply(reply)}, and another plant is gone too`, reply)
    },
  },
  {
    id: 'plants.delete.int64',
    words: 'The id in the path is exact: of two plants whose ids differ in the last bit, the named one is deleted.',
    needs: ['writes'],
    async probe(session) {
      const { id, names, even, odd } = await makeLongIds(session)
      assertSeen(isSuccess(even) && isSuccess(odd), 'two such plants cannot be created')
      await assertListed(session, names)
      const reply = await deleteMade(session, { id: id + 1n })
      assertSucceeded(reply)
      await settle(session)
      const { names: left } = await poll(session, (all) => all.includes(names[0]) && !all.includes(names[1]))
      assertHolds(left.includes(names[0]), `${describeReply(reply)}, and the plant ${id} is gone`, reply)
      assertHolds(!left.includes(names[1]), `${describeReply(reply)}, and the plant ${id + 1n} is still listed`, reply)
    },
  },
  {
    id: 'plants.delete.no-body',
    words: 'The reply to a deletion has no body.',
    needs: ['writes'],
    async probe(session) {
      const reply = await deleteMade(session, await makePlant(session))
      assertSucceeded(reply)
      assertHolds(reply.text === '', `${describeReply(reply)} with a body`, reply)
    },
  },
  {
    id: 'plants.delete.own',
    words: "Another caller's plant can't be deleted.",
    needs: ['writes', 'other-key'],
    async probe(session) {
      const { id, name } = await makePlant(session, {}, session.options.otherKey)
      const call = { key: session.options.otherKey! }
      await assertListed(session, [name], call)
      const reply = await removePlant(session, id)
      await settle(session)
      assertHolds(
        await isListed(session, name, call),
        `${describeReply(reply)}, and another caller's plant is gone`,
        reply,
      )
    },
  },
]

const wrongKey = 'greenhouse-verify-no-such-key'

type Credentials = Pick<VerifyRule, 'needs'> & {
  readonly id: string
  readonly words: string
  readonly call: (options: SessionOptions) => VerifyCall
}

const rejected: readonly Credentials[] = [
  { id: 'missing', words: 'without a key', call: () => ({ key: null }) },
  { id: 'invalid', words: 'with an unknown key', call: () => ({ key: wrongKey }) },
  {
    id: 'expired',
    words: 'with an expired key',
    needs: ['expired-key'],
    call: ({ expiredKey }) => ({ key: expiredKey! }),
  },
]

function keyRules(area: AreaName, prefix: string, subject: string): readonly VerifyRule[] {
  const path = `/${area}`
  return [
    ...rejected.map(({ id, words, needs, call }): VerifyRule => ({
      id: `${prefix}.auth.${id}`,
      words: `${subject} ${words} is answered with 401.`,
      ...(needs && { needs }),
      async probe({ client, options }) {
        const reply = await client.call(area, 'GET', path, call(options))
        assertStatus(reply, 401)
      },
    })),
    {
      id: `${prefix}.auth.scheme`,
      words: 'A key counts only after "Bearer" and a space.',
      async probe({ client, options }) {
        for (const authorization of [options.key, `Basic ${options.key}`]) {
          const reply = await client.call(area, 'GET', path, { authorization })
          assertHolds(reply.status === 401, `${describeReply(reply)} without the word Bearer`, reply)
        }
      },
    },
  ]
}

const appAuthRules: readonly VerifyRule[] = [
  ...keyRules('apps', 'apps', 'A request'),
  ...rejected
    .filter(({ id }) => id !== 'missing')
    .map(({ id, needs, call }): VerifyRule => ({
      id: `apps.auth.${id}-code`,
      words: `The error.code of an ${id} key is invalid_api_key.`,
      ...(needs && { needs }),
      async probe({ client, options }) {
        const reply = await client.call('apps', 'GET', '/apps', call(options))
        const code = codeOf(reply)
        assertSeen(reply.status === 401 && code !== undefined, `${describeReply(reply)}, without an error.code`)
        assertHolds(code === 'invalid_api_key', `error.code is "${code}"`, reply)
      },
    })),
]

const plantListRules: readonly VerifyRule[] = [
  {
    id: 'plants.list.reply',
    words: 'GET /plants is answered with a JSON array of plants: each has a name and an optional tag, both strings.',
    async probe(session) {
      const reply = await fetchPlants(session)
      assertSucceeded(reply)
      assertHolds(Array.isArray(reply.json), 'the body is not a JSON array', reply)
      const wrong = reply.json.findIndex((plant) => !isPlant(plant))
      assertHolds(wrong < 0, `item ${wrong} of the list is not a plant: ${JSON.stringify(reply.json[wrong])}`, reply)
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
        assertHolds(length === limit, `${length} plants are returned with ${name}=${limit}`, reply)
      }
    },
  },
  {
    id: 'plants.list.own',
    words: "Another caller's plants are not listed.",
    needs: ['writes', 'other-key'],
    async probe(session) {
      const { name } = await makePlant(session, {}, session.options.otherKey)
      const inconclusive = await whyInconclusive(session, [name], { key: session.options.otherKey! })
      await settle(session)
      const reply = await listAll(session)
      assertHolds(!namesOf(reply).includes(name), "another caller's plant is in the list", reply)
      if (inconclusive !== undefined) throw new Inconclusive(inconclusive)
    },
  },
]

function isPlant(value: unknown): boolean {
  const tag = member(value, 'tag')
  return typeof member(value, 'name') === 'string' && (tag === undefined || typeof tag === 'string')
}

const rateLimitRules: readonly VerifyRule[] = [
  {
    id: 'apps.limit.counts',
    words: 'Each request leaves one less in X-RateLimit-Remaining.',
    async probe(session) {
      // The window may reset between the two requests of a pair, or a request be sent again, but hardly in three pairs in a row.
      for (let tries = 2; ; tries--) {
        const [before, after] = [await fetchApps(session), await fetchApps(session)]
        assertSeen(isSuccess(before) && isSuccess(after), describeReply(after))
        const [left, then] = [quotaOf(before), quotaOf(after)]
        const isCounted = then.remaining === left.remaining - 1
        if (!isCounted && tries > 0) continue
        return assertHolds(isCounted, `X-RateLimit-Remaining is ${then.remaining} after ${left.remaining}`, after)
      }
    },
  },
  {
    id: 'apps.limit.status',
    words: 'A request above the limit is answered with 429.',
    needs: ['rate-limit'],
    async probe(session) {
      const { last, beyond } = await spendAll(session)
      assertOfMinute(session, quotaOf(last))
      assertHolds(beyond === 0, `${describeReply(last)} when no request was left`, last)
    },
  },
  {
    id: 'apps.limit.granted',
    words: 'No request within the limit is answered with 429.',
    needs: ['rate-limit'],
    async probe(session) {
      const rejected = await firstRejected(session)
      const left = quotaOf((await spendAll(session)).last)
      assertOfMinute(session, left)
      assertHolds(left.remaining === 0, `429 came when X-RateLimit-Remaining was ${left.remaining}`, rejected)
    },
  },
]

const plantAuthRules: readonly VerifyRule[] = [
  ...keyRules('plants', 'plants.list', 'GET /plants'),
  {
    id: 'plants.create.auth',
    words: 'POST /plants without a valid key is answered with 401, and creates nothing.',
    needs: ['writes'],
    async probe(session) {
      for (const key of [null, wrongKey]) {
        const name = session.newName()
        const reply = await postPlant(session, { id: session.newId(), name }, { key })
        assertStatus(reply, 401)
        await assertNotMade(session, name, reply)
      }
    },
  },
  {
    id: 'plants.delete.auth',
    words: 'DELETE /plants/{id} without a valid key is answered with 401, and deletes nothing.',
    needs: ['writes'],
    async probe(session) {
      const { id, name } = await makePlant(session)
      const inconclusive = await whyInconclusive(session, [name])
      for (const key of [null, wrongKey]) {
        const reply = await removePlant(session, id, { key })
        assertStatus(reply, 401)
        if (inconclusive !== undefined) continue
        await settle(session)
        assertHolds(await isListed(session, name), `${describeReply(reply)}, and the plant is gone`, reply)
      }
      if (inconclusive !== undefined) throw new Inconclusive(inconclusive)
    },
  },
]

/** All rules with a probe, in the order in which they run: those that spend the rate limit come last. */
export const verifyRules: readonly VerifyRule[] = [
  ...plantAuthRules,
  ...plantListRules,
  ...plantCreateRules,
  ...plantDeleteRules,
  ...appAuthRules,
  ...appRules,
  ...rateLimitRules,
]
