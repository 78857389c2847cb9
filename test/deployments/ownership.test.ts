import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { apps, deployed } from './deploy.ts'

testApi(
  "another account's deployment, or one below another app, is 404 and stays as it was",
  async ({ call, world }) => {
    const { id, path, look, created } = await deployed(call)
    const elsewhere = [
      [path, 'key_pro_plus'],
      [`/v1/apps/${apps['key_pro_plus']}/deployments/${id}`, 'key_pro_plus'],
      [`/v1/apps/app_wfr4wqydlhx43ree/deployments/${id}`, 'key_pro'],
      [`/v1/apps/${apps['key_pro']}/deployments/dep_aaaaaaaaaaaaaaaa`, 'key_pro'],
    ] as const
    for (const [path, key] of elsewhere)
      for (const [method, end, body] of [
        ['GET', ''],
        ['PATCH', '', { branding: { name: 'stolen' } }],
        ['DELETE', ''],
        ['POST', '/verify'],
      ] as const)
        expect((await call(method, path + end, { key, body })).status, `${method} ${path} ${key}`).toBe(404)
    for (const method of ['GET', 'POST'])
      expect(
        (
          await call(method, `/v1/apps/${apps['key_pro']}/deployments`, {
            key: 'key_pro_plus',
            ...(method === 'POST' && { body: {} }),
          })
        ).status,
      ).toBe(404)
    expect(await look()).toEqual(created)
    expect(world.records.deployments.get(id)).toBeDefined()
  },
)

testApi('every operation needs deployments:write, but reading needs only deployments:read', async ({ call, world }) => {
  const { path } = await deployed(call)
  const list = path.slice(0, path.lastIndexOf('/'))
  await world.records.keys.create({ secret: 'key_deployer', account: 'acct_pro', scopes: ['deployments:write'] })
  await world.records.keys.create({
    secret: 'key_blind',
    account: 'acct_pro',
    scopes: ['apps:read', 'apps:write', 'payments:write'],
  })
  const requests = [
    ['GET', list],
    ['POST', list, {}],
    ['GET', path],
    ['PATCH', path, {}],
    ['POST', `${path}/verify`],
    ['DELETE', path],
  ] as const
  for (const [method, path, body] of requests) {
    expect((await call(method, path, { key: 'key_blind', body })).status, `${method} ${path}`).toBe(403)
    expect((await call(method, path, { key: 'key_readonly', body })).status, `${method} ${path}`).toBe(
      method === 'GET' ? 200 : 403,
    )
    expect((await call(method, path, { key: 'key_deployer', body })).status, `${method} ${path}`).toBeLessThan(300)
  }
})
