import { expect } from 'vitest'
import type { World } from 'greenhouse-mock'
import { testApi } from '../support/test-api.ts'

const caps = { free: 5, lite: 50, pro: 100, pro_plus: 1_000 }

/** Leaves an account with so many apps. */
function fill(world: World, account: string, count: number) {
  world.records.apps.replace(
    Array.from({ length: count }, (_, index) => ({
      id: `app_${index}`,
      account,
      name: `app ${index}`,
      created_at: 0,
      updated_at: 0,
    })),
  )
}

for (const [plan, cap] of Object.entries(caps))
  testApi(`the plan ${plan} permits ${cap} apps, and one more is 403`, async ({ call, world }) => {
    fill(world, `acct_${plan}`, cap - 1)
    expect((await call('POST', '/v1/apps', { key: `key_${plan}`, body: { name: 'last' } })).status).toBe(201)
    const { status, body } = await call('POST', '/v1/apps', { key: `key_${plan}`, body: { name: 'one too many' } })
    expect(status).toBe(403)
    expect(body.error).toMatchObject({
      code: 'insufficient_permissions',
      message: expect.stringContaining(String(cap)),
    })
    expect(world.records.apps.count()).toBe(cap)
  })

testApi('an app that is deleted makes room for another', async ({ call, world }) => {
  fill(world, 'acct_free', 5)
  await call('DELETE', '/v1/apps/app_0', { key: 'key_free' })
  expect((await call('POST', '/v1/apps', { key: 'key_free', body: { name: 'x' } })).status).toBe(201)
  expect((await call('POST', '/v1/apps', { key: 'key_free', body: { name: 'x' } })).status).toBe(403)
})

testApi('of ten creations at once only as many succeed as the plan permits', async ({ call, world }) => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => call('POST', '/v1/apps', { key: 'key_free', body: { name: 'x' } })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array<number>(7).fill(403)])
  expect(world.records.apps.find((app) => app.account === 'acct_free')).toHaveLength(5)
})

testApi('a plan that changes changes the cap of the very next creation', async ({ call, world }) => {
  fill(world, 'acct_free', 5)
  await world.records.accounts.update('acct_free', { plan: 'lite' })
  expect((await call('POST', '/v1/apps', { key: 'key_free', body: { name: 'x' } })).status).toBe(201)
  await world.records.accounts.update('acct_free', { plan: 'free' })
  expect((await call('POST', '/v1/apps', { key: 'key_free', body: { name: 'x' } })).status).toBe(403)
  expect((await call('GET', '/v1/apps', { key: 'key_free' })).body.data).toHaveLength(6)
})
