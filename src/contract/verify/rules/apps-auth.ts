import { codeOf } from '../apps.ts'
import type { VerifyRule } from '../definitions.ts'
import { assertKept, assertSeen, tell } from '../verdict.ts'
import { wrongKey } from './plants-auth.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

/** Area B asks for a bearer key. */
export const appAuthRules: readonly VerifyRule[] = [
  {
    id: 'apps.auth.missing',
    area: 'apps',
    words: 'A request without a key is answered with 401.',
    async probe({ client }) {
      const reply = await client.call('apps', 'GET', '/apps', { key: null })
      assertKept(reply.status === 401, tell(reply), reply)
    },
  },
  {
    id: 'apps.auth.invalid',
    area: 'apps',
    words: 'A request with an unknown key is answered with 401.',
    async probe({ client }) {
      const reply = await client.call('apps', 'GET', '/apps', { key: wrongKey })
      assertKept(reply.status === 401, tell(reply), reply)
    },
  },
  {
    id: 'apps.auth.invalid-code',
    area: 'apps',
    words: 'The error.code of an invalid key is invalid_api_key.',
    async probe({ client }) {
      const reply = await client.call('apps', 'GET', '/apps', { key: wrongKey })
      const code = codeOf(reply)
      assertSeen(reply.status === 401 && isText(code), `${tell(reply)}, without an error.code`)
      assertKept(code === 'invalid_api_key', `error.code is "${code}"`, reply)
    },
  },
  {
    id: 'apps.auth.expired',
    area: 'apps',
    words: 'A request with an expired key is answered with 401.',
    needs: ['expired-key'],
    async probe({ client, options }) {
      const reply = await client.call('apps', 'GET', '/apps', { key: options.expiredKey! })
      assertKept(reply.status === 401, tell(reply), reply)
    },
  },
  {
    id: 'apps.auth.expired-code',
    area: 'apps',
    words: 'The error.code of an expired key is invalid_api_key.',
    needs: ['expired-key'],
    async probe({ client, options }) {
      const reply = await client.call('apps', 'GET', '/apps', { key: options.expiredKey! })
      const code = codeOf(reply)
      assertSeen(reply.status === 401 && isText(code), `${tell(reply)}, without an error.code`)
      assertKept(code === 'invalid_api_key', `error.code is "${code}"`, reply)
    },
  },
  {
    id: 'apps.auth.scheme',
    area: 'apps',
    words: 'A key counts only after "Bearer" and a space.',
    async probe({ client, options }) {
      for (const authorization of [options.key, `Basic ${options.key}`]) {
        const reply = await client.call('apps', 'GET', '/apps', { authorization })
        assertKept(reply.status === 401, `${tell(reply)} without the word Bearer`, reply)
      }
    },
  },
]
