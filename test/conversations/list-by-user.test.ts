import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { openApp } from './chat.ts'

testApi('conversations are narrowed down to those of one user', async ({ call }) => {
  const path = `/v1/apps/${openApp}/conversations`
  const begin = async (name: string) =>
    (await call('POST', path, { body: { user: { email: `${name}@example.com`, name } } })).body
  const [one, other] = [await begin('one'), await begin('other')]
  const list = async (user: string) =>
    (await call('GET', `${path}?user_id=${user}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await list(one.user_id)).toEqual([one.id])
  expect(await list(other.user_id)).toEqual([other.id])
})
