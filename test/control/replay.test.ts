import { expect } from 'vitest'
import {
  testControl,
  expectControlError,
  expectInvalid,
  type Controlled,
} from '../support/control.ts'

const journal = '/worlds/default/journal'
const replay = ({ control }: Pick<Controlled, 'control'>, id = 1) =>
  control('POST', `${journal}/${id}/replay`)
const large = (length: number) => ({
  method: 'POST',
  body: JSON.stringify({ id: 1, name: 'x'.repeat(length) }),
})

testControl(
  'a recorded request is sent again with its key, as a new entry',
  async ({ control, call, world }) => {
    const { body: key } = await control('POST', '/worlds/default/keys', { account: 'acct_pro' })
    await call('/plants?limit=1', { headers: { authorization: `Bearer ${key.secret}` } })
    const { status, body, text } = await replay({ control })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      id: 2,
      operation: 'plants.list',
      request: {
        method: 'GET',
        url: '/plants?limit=1',
        headers: { authorization: `Bearer ${key.id}` },
      },
      response: { status: 200 },
    })
    expect(body.bytes).toBe(body.response.body.length)
    expect(text).not.toContain(key.secret)
    expect(world.journal.size).toBe(2)
    world.use('expired-key')
    expect((await replay({ control }, 2)).body).toMatchObject({ id: 3, response: { status: 401 } })
  },
)

testControl('a request with a body is sent again as it was', async ({ control, call, world }) => {
  await call('/plants', { method: 'POST', body: '{"id":9007199254740993,"name":"Färn"}' })
  expect(world.records.plants.delete(9007199254740993n)).toBe(true)
  expect((await replay({ control })).body.response.status).toBe(200)
  expect(world.records.plants.get(9007199254740993n)).toMatchObject({ name: 'Färn' })
  await call('/v1/apps', { method: 'POST', body: '{' })
  expect((await replay({ control }, 3)).body.response.status).toBe(400)
})

testControl('in another world it stays in that world', async ({ control, call, world }) => {
  await call('/~shop/plants?limit=1')
  await call('/plants?limit=1', { headers: { authorization: 'Bearer key_pro@shop' } })
  for (const id of [1, 2])
    expect((await control('POST', `/worlds/shop/journal/${id}/replay`)).body).toMatchObject({
      id: id + 2,
      world: 'shop',
      response: { status: 200 },
    })
  expect(world.journal.size).toBe(0)
})

testControl(
  'a request that never gets a whole reply is told so',
  async ({ control, call, world }) => {
    await call('/plants?limit=1')
    const outcomes: Record<string, object> = {
      'connection-reset': { response: { status: 0 }, aborted: true },
      timeout: { response: { status: 0 }, aborted: true },
      'truncated-body': { response: { status: 200 }, aborted: true },
      drip: { response: { status: 200 }, scenarios: ['drip'] },
      slow: { response: { status: 200 }, scenarios: ['slow'] },
    }
    for (const [scenario, outcome] of Object.entries(outcomes)) {
      world.useOnly([(scenario === 'slow' ? 'slow:ms=30' : scenario) as never])
      const { status, body } = await replay({ control })
      expect([scenario, status]).toEqual([scenario, 201])
      expect(body).toMatchObject(outcome)
      expect([scenario, body.pending]).toEqual([scenario, undefined])
    }
  },
)

testControl('what is not there, or not all there, is refused', async ({ control, call }) => {
  expectControlError(await replay({ control }), 404, 'unknown_entry')
  await call('/plants', large(70_000))
  const why =
    /^The request 1 can't be sent again: the journal keeps only the first 65536 bytes of a body\./
  expectControlError(await replay({ control }), 409, 'not_replayable', why)
  await expectInvalid(control('POST', `${journal}/1/replay`, { times: 2 }))
  expect((await control('GET', journal)).body.data).toHaveLength(1)
})

testControl('a body over the limit is over it again', async ({ control, call }) => {
  await call('/plants', large(2 ** 20))
  expect((await replay({ control })).body.response.status).toBe(413)
})

testControl(
  'a replay under a scenario that is gone says why it fails',
  async ({ control, call, greenhouse }) => {
    const mine = {
      title: 'Mine',
      description: 'Mine.',
      covers: 'Mine.',
      tags: ['mine'],
      keys: [{ revoke: true }],
    }
    greenhouse.reload({ scenarios: { mine } })
    await call('/plants', { headers: { 'x-greenhouse-scenario': 'mine' } })
    expect((await control('GET', journal)).body.data).toHaveLength(1)
    greenhouse.reload({ scenarios: {} })
    const why =
      /refused with 400 before it reached the world\. Failed to use the scenario "mine": there is no such/
    expectControlError(await replay({ control }), 409, 'not_replayable', why)
  },
)
