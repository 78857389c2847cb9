import { expect } from 'vitest'
import { through } from '../support/through.ts'

const status = async (call: Parameters<Parameters<typeof through>[1]>[0]['call'], authorization: string) =>
  (await call('GET', '/v1/apps', { key: null, headers: { authorization } })).status

through('the scheme is taken in any letter case', async ({ call }) => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
    expect(await status(call, `${scheme} key_pro`), scheme).toBe(200)
})

through('with auth.scheme-case=exact only Bearer is taken', async ({ call, world }) => {
  world.assume('auth.scheme-case', 'exact')
  expect(await status(call, 'Bearer key_pro')).toBe(200)
  for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
    const answer = await call('GET', '/v1/apps', { key: null, headers: { authorization: `${scheme} key_pro` } })
    expect(answer.status, scheme).toBe(401)
    expect(answer.body.error.code, scheme).toBe('missing_api_key')
  }
})
