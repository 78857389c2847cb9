import { describe } from 'vitest'
import { createTest } from 'greenhouse-mock/vitest'
import { ask, bases } from './team-server.ts'

const test = createTest({ ...bases, strict: true })

const until = () => {
  let go = () => {}
  const gone = new Promise<void>((resolve) => (go = resolve))
  return { go, gone }
}

test('passes: a world is named, and operations are', async ({ api, expect }) => {
  expect((await ask(`${bases.apps}/apps?limit=1`, api.key('key_pro'))).status).toBe(200)
  expect((await ask(`${api.plantsUrl}/plants`, 'key_pro')).status).toBe(200)
  expect((await ask(`${api.appsUrl}/apps/app_nope`, 'key_pro')).status).toBe(404)
  expect((await ask(`${bases.apps}/apps`, 'key_pro@default')).status).toBe(200)
})

test('fails: no world is named', async ({ world, expect }) => {
  const { status, body } = await ask(`${bases.plants}/plants?limit=2`, 'key_pro')
  expect(status).toBe(400)
  expect(body).toMatchObject({ error: { code: 'world_required' } })
  expect(world.journal.calls()).toEqual([])
})

test('fails: no fixture is used', async ({ expect }) => {
  expect((await ask(`${bases.apps}/apps`, 'key_secret')).status).toBe(400)
})

test('fails: no operation has the path', async ({ api, expect }) => {
  expect((await ask(`${bases.apps}/aps`, api.key('key_pro'))).status).toBe(404)
})

test('fails: what is below the base URL of plants does not leave for the network', async ({
  api,
  expect,
}) => {
  expect((await ask(`${bases.plants}/plant`, api.key('key_pro'))).status).toBe(404)
})

test('fails: no operation has the method', async ({ api, expect }) => {
  const headers = { authorization: 'Bearer key_pro' }
  expect((await fetch(`${api.appsUrl}/apps`, { method: 'DELETE', headers })).ok).toBe(false)
})

test('passes: what breaks the contract gets 400', async ({ api, expect }) => {
  expect((await ask(`${bases.apps}/apps?limt=1`, api.key('key_pro'))).status).toBe(400)
})

describe('at the same time', () => {
  const [one, other] = [until(), until()]
  test.concurrent('fails: it may be the one that named no world', async () => {
    await one.gone
    await ask(`${bases.apps}/apps`, 'key_pro')
    other.go()
  })
  test.concurrent('fails: so may this one', async () => {
    one.go()
    await other.gone
  })
})

describe('at the same time, and each with its world', () => {
  const [one, other] = [until(), until()]
  test.concurrent('fails: it named an unknown operation', async ({ api }) => {
    await one.gone
    await ask(`${bases.apps}/nothing/like/it`, api.key('key_pro'))
    other.go()
  })
  test.concurrent('passes: it did not', async ({ world, expect }) => {
    one.go()
    await other.gone
    expect(world.journal.calls()).toEqual([])
  })
})

const lenient = createTest({
  apps: 'https://lenient.example.com/v1',
  strict: { contract: false, operation: false },
})

lenient('passes: each check can be left out', async ({ api, expect }) => {
  expect((await ask(`https://lenient.example.com/v1/apps?limt=1`, api.key('key_pro'))).status).toBe(
    200,
  )
  expect((await ask(`https://lenient.example.com/v1/aps`, api.key('key_pro'))).status).toBe(404)
})

lenient(
  'fails: and the others stay',
  async () => void (await ask(`https://lenient.example.com/v1/apps`, 'key_pro')),
)
