import { codeOf, fetchApps } from '../apps.ts'
import { byStatus, unknown, value, type Gap } from '../definitions.ts'
import { noApp } from '../rules/apps.ts'
import { assertSeen, describeReply, Unseen } from '../verdict.ts'
import { isSuccess, member } from '../wire.ts'

export const authGaps: readonly Gap[] = [
  {
    id: 'auth.scheme-case',
    async look({ client, options }) {
      const reply = await client.call('apps', 'GET', '/apps', { authorization: `bearer ${options.key}` })
      const from = `${describeReply(reply)} to "bearer" in lower case`
      return isSuccess(reply) ? value('any', from) : byStatus(reply, { 401: 'exact' }, from)
    },
  },
  {
    id: 'auth.missing-code',
    async look({ client }) {
      const reply = await client.call('apps', 'GET', '/apps', { key: null })
      const code = codeOf(reply)
      assertSeen(typeof code === 'string', `${describeReply(reply)}, without an error.code`)
      const from = `${describeReply(reply)} with the code ${code} without a key`
      return code === 'missing_api_key' || code === 'invalid_api_key' ? value(code, from) : unknown(from, reply)
    },
  },
  {
    id: 'auth.expired-code',
    needs: ['expired-key'],
    async look({ client, options }) {
      const reply = await client.call('apps', 'GET', '/apps', { key: options.expiredKey! })
      const code = codeOf(reply)
      assertSeen(typeof code === 'string', `${describeReply(reply)}, without an error.code`)
      const from = `${describeReply(reply)} with the code ${code} to an expired key`
      return code === 'invalid_api_key' ? value(code, from) : unknown(from, reply)
    },
  },
  {
    id: 'http.unknown-path',
    async look({ client }) {
      const reply = await client.call('apps', 'GET', '/no-such-path', { key: null })
      const from = `${describeReply(reply)} to a path that does not exist, without a key`
      return byStatus(reply, { 404: '404-first', 401: 'checked' }, from)
    },
  },
  {
    id: 'errors.codes',
    async look({ client }) {
      const reply = await client.call('apps', 'GET', `/apps/${noApp}`)
      const code = codeOf(reply)
      assertSeen(reply.status === 404 && typeof code === 'string', `${describeReply(reply)}, without an error.code`)
      const from = `${describeReply(reply)} with the code ${code}`
      return code === 'not_found' ? value('snake-case', from) : unknown(from, reply)
    },
  },
  {
    id: 'errors.request-id-header',
    async look({ client }) {
      const reply = await client.call('apps', 'GET', `/apps/${noApp}`)
      const id = reply.headers['x-request-id']
      if (id === undefined) return value('absent', 'replies of app management do not carry X-Request-Id')
      const inBody = member(member(reply.json, 'error'), 'request_id')
      return inBody === id
        ? value('sent', 'X-Request-Id equals error.request_id')
        : unknown(`X-Request-Id is ${id}, and error.request_id ${JSON.stringify(inBody)}`, reply)
    },
  },
  {
    id: 'http.date',
    async look(session) {
      const { headers } = await fetchApps(session)
      if (headers['date'] === undefined) return value('absent', 'replies of app management do not carry Date')
      throw new Unseen('a client sees a time, but not whose clock it comes from', ['world', 'machine'])
    },
  },
  {
    id: 'http.head',
    async look(session) {
      const [head, get] = [await session.client.call('apps', 'HEAD', '/apps'), await fetchApps(session)]
      if (head.status === get.status) return value('as-get', describeReply(head))
      return byStatus(head, { 404: '404' }, describeReply(head))
    },
  },
]
