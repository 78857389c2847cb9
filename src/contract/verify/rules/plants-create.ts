import { type VerifyRule } from '../finding.ts'
import { assertNotMade, makePlant, poll, postPlant, whyDoubtful } from '../plants.ts'
import type { Session } from '../session.ts'
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

export const plantCreateRules: readonly VerifyRule[] = [
  {
    id: 'plants.create.status',
    words: 'POST /plants with name, tag and id is answered with 200.',
    needs: ['writes'],
    async probe(session) {
      const reply = await postPlant(session, { id: session.newId(), name: session.newName(), tag: 'verify' })
      assertStatus(reply, 200)
    },
  },
  {
    id: 'plants.create.reply',
    words: 'The reply to a creation is the plant, with the name and the tag that were sent.',
    needs: ['writes'],
    async probe(session) {
      const { name, reply } = await makePlant(session, { tag: 'verify' })
      assertHolds(!Array.isArray(reply.json), 'the body is a list, not a plant', reply)
      assertHolds(
        member(reply.json, 'name') === name,
        `the reply does not have the name "${name}" that was sent`,
        reply,
      )
      assertHolds(
        member(reply.json, 'tag') === 'verify',
        'the reply does not have the tag "verify" that was sent',
        reply,
      )
    },
  },
  {
    id: 'plants.create.tag-optional',
    words: 'The tag is optional: a plant without one is created, and its reply has no tag, or a string as its tag.',
    needs: ['writes'],
    async probe(session) {
      const reply = await postPlant(session, { id: session.newId(), name: session.newName() })
      const withTag = await session.once('plant with a tag', () => makePlant(session, { tag: 'verify' }))
      assertHolds(
        isSuccess(reply),
        `${describeReply(reply)} to a plant without a tag, and ${withTag.reply.status} to one with`,
        reply,
      )
      const tag = member(reply.json, 'tag')
      assertHolds(tag === undefined || typeof tag === 'string', `tag is ${JSON.stringify(tag)} in the reply`, reply)
    },
  },
  {
    id: 'plants.create.listed',
    words: 'A plant that was created is listed.',
    needs: ['writes'],
    async probe(session) {
      const { name, reply } = await makePlant(session, { tag: 'verify' })
      const find = () => poll(session, (names) => names.includes(name))
      let list = await find()
      // One more plant shows whether the list ends at a page or by chance.
      if (!list.isShown && whyDoubtful(list.reply) !== undefined) {
        await makePlant(session)
        list = await find()
      }
      const doubt = list.isShown ? undefined : whyDoubtful(list.reply)
      if (doubt !== undefined) throw new Inconclusive(doubt)
      const within = session.readLag === 0 ? '' : ` within ${session.readLag / 1_000} s`
      assertHolds(list.isShown, `the plant is not in the list${within}`, reply)
    },
  },
  {
    id: 'plants.create.unicode',
    words: 'A name that is accepted is returned and listed as it was sent, whatever its characters.',
    needs: ['writes'],
    async probe(session) {
      const plain = session.newName()
      const name = `${plain} \u00c4\u00dfn \u6728 \u{1f331}`
      const reply = await postPlant(session, { id: session.newId(), name })
      assertSucceeded(reply)
      const isOurs = (one: unknown): one is string => typeof one === 'string' && one.startsWith(plain)
      const returned = member(reply.json, 'name')
      if (isOurs(returned)) assertHolds(isSame(returned, name), `"${name}" is returned as "${returned}"`, reply)
      const list = await poll(session, (names) => names.some(isOurs))
      const listed = list.names.find(isOurs)
      assertSeen(listed !== undefined, 'the plant is not in the list')
      assertHolds(isSame(listed, name), `"${name}" is listed as "${listed}"`, list.reply)
    },
  },
  {
    id: 'plants.create.int64',
    words: 'An id is a 64-bit integer: two ids that differ only in the last bit are two plants.',
    needs: ['writes'],
    async probe(session) {
      const { names, even, odd } = await makeLongIds(session)
      assertHolds(isSuccess(even), describeReply(even), even)
      assertHolds(isSuccess(odd), `${describeReply(odd)} to an id that differs from another in its last bit`, odd)
      const list = await poll(session, (all) => names.every((name) => all.includes(name)))
      assertSeen(list.isShown || names.some((name) => list.names.includes(name)), 'neither plant is listed')
      const doubt = list.isShown ? undefined : whyDoubtful(list.reply)
      if (doubt !== undefined) throw new Inconclusive(doubt)
      assertHolds(list.isShown, `${describeReply(odd)}, and of the two plants only one is listed`, odd)
    },
  },
  rejects('no-name', 'without a name', (body) => ({ id: body.id })),
  rejects('no-id', 'without an id', (body) => ({ name: body.name })),
  rejects('name-type', 'whose name is a number', (body) => ({ ...body, name: 17 })),
  rejects('name-null', 'whose name is null', (body) => ({ ...body, name: null })),
  rejects('tag-type', 'whose tag is a number', (body) => ({ ...body, tag: 17 })),
  rejects('id-text', 'whose id is a string', (body) => ({ ...body, id: 'seventeen' })),
  rejects('id-fraction', 'whose id is a fraction', (body) => ({ ...body, id: body.id + 0.5 })),
  rejects('id-range', 'whose id has more than 64 bits', ({ name }) => `{"id":9223372036854775808,"name":"${name}"}`),
  rejects('not-json', 'that is not JSON', ({ id, name }) => `{"id":${id},"name":"${name}"`),
  rejects('no-object', 'that is a list', (body) => [body]),
  rejects('empty', 'that is empty', () => ''),
]

function isSame(one: string, other: string): boolean {
  return one.normalize() === other.normalize()
}

function rejects(
  kind: string,
  how: string,
  invalidate: (body: { readonly id: number; readonly name: string }) => unknown,
): VerifyRule {
  return {
    id: `plants.create.refuses.${kind}`,
    words: `POST /plants with a body ${how} is answered with 400, and creates nothing.`,
    needs: ['writes'],
    async probe(session) {
      const name = session.newName()
      const body = invalidate({ id: session.newId(), name })
      const reply = await postPlant(session, body)
      if (isSuccess(reply) && body === '')
        session.leave(`what ${describeReply(reply)} to an empty body, if it created anything`)
      assertHolds(reply.status === 400, `${describeReply(reply)} to a body ${how}`, reply)
      await assertNotMade(session, name, reply)
    },
  }
}

/** Creates two plants whose ids differ only beyond double precision, the even one first. @throws Inconclusive */
export function makeLongIds(session: Session) {
  return session.once('long ids', async () => {
    const id = 2n ** 60n + BigInt(session.newId()) * 2n
    const names = [session.newName(), session.newName()] as const
    const even = await postPlant(session, { id, name: names[0], tag: 'long' })
    const odd = await postPlant(session, { id: id + 1n, name: names[1], tag: 'long' })
    assertSeen(even.status !== 401 && even.status !== 403, describeReply(even))
    return { id, names, even, odd }
  })
}
