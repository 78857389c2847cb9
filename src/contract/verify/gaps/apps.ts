import { fetchApps, make, post, theApp } from '../apps.ts'
import { byStatus, unknown, value, type Gap } from '../definitions.ts'
import { assertSeen, describeReply } from '../verdict.ts'
import { isSuccess, member } from '../wire.ts'

export const appGaps: readonly Gap[] = [
  {
    id: 'apps.list.shape',
    async look(session) {
      const reply = await fetchApps(session)
      assertSeen(isSuccess(reply), describeReply(reply))
      if (Array.isArray(reply.json)) return value('array', 'GET /apps is answered with a bare array')
      const isPage =
        Array.isArray(member(reply.json, 'data')) &&
        typeof member(reply.json, 'has_more') === 'boolean' &&
        member(reply.json, 'next_cursor') !== undefined
      return isPage
        ? value('data', 'GET /apps is answered with data, has_more and next_cursor')
        : unknown('GET /apps is answered with neither a bare array nor data, has_more and next_cursor', reply)
    },
  },
  {
    id: 'apps.create.status',
    needs: ['writes'],
    async look(session) {
      const { reply } = await theApp(session)
      return byStatus(reply, { 201: '201', 200: '200' }, describeReply(reply))
    },
  },
  {
    id: 'apps.delete.status',
    needs: ['writes'],
    async look(session) {
      const { path } = await make(session, '/apps', { name: session.newName() })
      const reply = await session.client.call('apps', 'DELETE', path)
      if (isSuccess(reply)) session.forget(path)
      return byStatus(reply, { 204: '204', 200: '200' }, describeReply(reply))
    },
  },
  {
    id: 'apps.unknown-fields',
    needs: ['writes'],
    async look(session) {
      await theApp(session)
      const reply = await post(session, '/apps', { name: session.newName(), greenhouse_verify: 'x' })
      const from = `${describeReply(reply)} to an unknown field`
      return isSuccess(reply) ? value('ignore', from) : byStatus(reply, { 400: 'reject' }, from)
    },
  },
  {
    id: 'apps.unknown-query',
    async look(session) {
      const reply = await fetchApps(session, { query: 'greenhouse_verify=1' })
      return isSuccess(reply)
        ? value('ignore', describeReply(reply))
        : byStatus(reply, { 400: 'reject' }, describeReply(reply))
    },
  },
  {
    id: 'apps.text-length',
    needs: ['writes'],
    async look(session) {
      await theApp(session)
      const isTaken = async (length: number) => {
        const reply = await post(session, '/apps', { name: session.newName(), description: 'd'.repeat(length) })
        assertSeen(isSuccess(reply) || reply.status === 400, describeReply(reply))
        return isSuccess(reply)
      }
      const lengths = [1_000, 1_001, 16_384, 16_385]
      const taken: boolean[] = []
      for (const length of lengths) taken.push(await isTaken(length))
      const longest = { '1000': '1000', '1110': '16384' }[taken.map(Number).join('')]
      const from = `of strings of ${lengths.join(', ')} characters it accepts ${lengths.filter((_, index) => taken[index]).join(', ') || 'none'}`
      return longest === undefined ? unknown(from) : value(longest, from)
    },
  },
]
