import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

const refusals = [
  ['bad-request', 400, 'invalid_request'],
  ['forbidden', 403, 'insufficient_permissions'],
  ['not-found', 404, 'not_found'],
] as const

for (const [scenario, status, code] of refusals)
  testApi(
    `${scenario} answers any operation with ${status} and changes nothing`,
    {},
    async ({ world, call, greenhouse }) => {
      const before = world.records.plants.count()
      world.use(scenario)
      for (const [method, path] of [
        ['GET', '/plants'],
        ['POST', '/plants'],
        ['DELETE', '/plants/101'],
      ] as const)
        expect(await call(method, path), path).toMatchObject({
          status,
          body: { error: status, message: expect.any(String) },
        })
      for (const { id, method, path } of greenhouse.operations().filter(({ path }) => path.startsWith('/v1')))
        expect(await call(method, path.replaceAll(/\{\w+\}/g, 'x')), id).toMatchObject({
          status,
          body: { error: { code } },
        })
      expect(world.records.plants.count()).toBe(before)
      world.use(scenario, { on: 'apps.list' })
      expect([(await call('GET', '/plants')).status, (await call('GET', '/v1/apps')).status]).toEqual([200, status])
      world.clear()
      expect((await call('GET', '/v1/apps')).status).toBe(200)
    },
  )
