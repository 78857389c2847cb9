import { createTest, test as withServer } from 'greenhouse-mock/vitest'
import { expect } from 'vitest'
import { ask, bases, expected } from './client.mjs'

for (const [how, test] of Object.entries({ MSW: createTest(bases), 'a server': withServer }))
  test(`the fixture answers with ${how}`, async ({ api, world }) => {
    expect(
      await ask(api.plantsUrl, api.appsUrl, { Authorization: `Bearer ${api.key('key_pro')}` }),
    ).toEqual(expected)
    expect(world.journal.calls()).toHaveLength(2)
  })
