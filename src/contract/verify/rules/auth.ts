import { codeOf } from '../apps.ts'
import type { VerifyCall } from '../client.ts'
import type { VerifyRule } from '../definitions.ts'
import type { SessionOptions } from '../session.ts'
import { assertKept, assertSeen, describeReply } from '../verdict.ts'
import type { AreaName } from '../../../areas/area-names.ts'

export const wrongKey = 'greenhouse-verify-no-such-key'

type Credentials = Pick<VerifyRule, 'needs'> & {
  readonly id: string
  readonly words: string
  readonly call: (options: SessionOptions) => VerifyCall
}

const refused: readonly Credentials[] = [
  { id: 'missing', words: 'without a key', call: () => ({ key: null }) },
  { id: 'invalid', words: 'with an unknown key', call: () => ({ key: wrongKey }) },
  {
    id: 'expired',
    words: 'with an expired key',
    needs: ['expired-key'],
    call: ({ expiredKey }) => ({ key: expiredKey! }),
  },
]

export function keyRules(area: AreaName, prefix: string, subject: string): readonly VerifyRule[] {
  const path = `/${area}`
  return [
    ...refused.map(({ id, words, needs, call }): VerifyRule => ({
      id: `${prefix}.auth.${id}`,
      words: `${subject} ${words} is answered with 401.`,
      ...(needs && { needs }),
      async probe({ client, options }) {
        const reply = await client.call(area, 'GET', path, call(options))
        assertKept(reply.status === 401, describeReply(reply), reply)
      },
    })),
    {
      id: `${prefix}.auth.scheme`,
      words: 'A key counts only after "Bearer" and a space.',
      async probe({ client, options }) {
        for (const authorization of [options.key, `Basic ${options.key}`]) {
          const reply = await client.call(area, 'GET', path, { authorization })
          assertKept(reply.status === 401, `${describeReply(reply)} without the word Bearer`, reply)
        }
      },
    },
  ]
}

export const appAuthRules: readonly VerifyRule[] = [
  ...keyRules('apps', 'apps', 'A request'),
  ...refused
    .filter(({ id }) => id !== 'missing')
    .map(({ id, needs, call }): VerifyRule => ({
      id: `apps.auth.${id}-code`,
      words: `The error.code of an ${id} key is invalid_api_key.`,
      ...(needs && { needs }),
      async probe({ client, options }) {
        const reply = await client.call('apps', 'GET', '/apps', call(options))
        const code = codeOf(reply)
        assertSeen(reply.status === 401 && typeof code === 'string', `${describeReply(reply)}, without an error.code`)
        assertKept(code === 'invalid_api_key', `error.code is "${code}"`, reply)
      },
    })),
]
