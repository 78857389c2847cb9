import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const app = 'app_wfr4wqydlhx43ree'

testApi('the balance is what was purchased less what was spent', async ({ call, world }) => {
  await world.records.credits.update('acct_pro', { purchased: 5_000, spent: 74 })
  const { status, body } = await call('GET', '/v1/credits')
  expect(status).toBe(200)
  expect(body).toEqual({ balance: 4_926, purchased: 5_000, spent: 74 })
})

testApi('a message takes a credit, and deleting its app gives none back', async ({ call, world }) => {
  await world.records.credits.update('acct_pro', { purchased: 5_000, spent: 74 })
  const { body: conversation } = await call('POST', `/v1/apps/${app}/conversations`, { body: {} })
  await call('POST', `/v1/apps/${app}/conversations/${conversation.id}/messages`, { body: { content: 'Hi' } })
  expect((await call('GET', '/v1/credits')).body).toEqual({ balance: 4_925, purchased: 5_000, spent: 75 })
  await call('DELETE', `/v1/apps/${app}`)
  expect((await call('GET', '/v1/credits')).body).toEqual({ balance: 4_925, purchased: 5_000, spent: 75 })
})

testApi('credits that are bought once all are spent let messages through again', async ({ call, world }) => {
  await world.records.credits.update('acct_pro', { spent: 5_000 })
  const { body: conversation } = await call('POST', `/v1/apps/${app}/conversations`, { body: {} })
  const say = () =>
    call('POST', `/v1/apps/${app}/conversations/${conversation.id}/messages`, { body: { content: 'Hi' } })
  const refused = await say()
  expect([refused.status, refused.body.error.code]).toEqual([403, 'insufficient_credits'])
  await call('POST', '/v1/credits/purchases', { body: { amount: 1, payment_method: 'pm_ok' } })
  expect((await say()).status).toBe(403)
  world.clock.advance('3s')
  expect((await say()).status).toBe(201)
  expect((await say()).status).toBe(403)
  expect((await call('GET', '/v1/credits')).body.balance).toBe(0)
})

testApi("each account's credits are its own", async ({ call, world }) => {
  const balance = async (key: string) => (await call('GET', '/v1/credits', { key })).body.balance
  const [free, pro] = [await balance('key_free'), await balance('key_pro')]
  await call('POST', '/v1/credits/purchases', { key: 'key_free', body: { amount: 7, payment_method: 'pm_ok' } })
  world.clock.advance('3s')
  expect(await balance('key_free')).toBe(free + 7)
  expect(await balance('key_pro')).toBe(pro)
})
