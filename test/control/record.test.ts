import { expect } from 'vitest'
import * as z from 'zod'
import { defineCollection } from 'greenhouse-mock/config'
import { toJson } from '../../src/core/http/json.ts'
import { toFingerprint } from '../support/fingerprint.ts'
import { testControl, expectControlError, stateOf, expectInvalid } from '../support/control.ts'

const frozen = { frozen: true }

const path = '/worlds/default/records'
const plant = { id: 5_000, name: 'Fern', account: 'acct_free' }

testControl('one record is added, read, changed and removed', async ({ control, api, world }) => {
  const { plants } = world.records
  expect(await control('POST', `${path}/plants`, plant)).toMatchObject({ status: 201, body: plant })
  expect(await control('GET', `${path}/plants/5000`)).toMatchObject({ status: 200, body: plant })
  expect((await control('PATCH', `${path}/plants/5000`, { tag: 'fern' })).body).toEqual({
    ...plant,
    tag: 'fern',
  })
  const listed = await api('GET', '/plants?limit=100', { key: 'key_free' })
  expect(listed.body).toContainEqual({ name: 'Fern', tag: 'fern' })
  const { body } = await control('PATCH', `${path}/plants/5000`, { tag: null, name: 'Moss' })
  expect(body).toEqual({ ...plant, name: 'Moss' })
  expect(plants.get(5_000)!.tag).toBeUndefined()
  expect(await control('DELETE', `${path}/plants/5000`)).toMatchObject({ status: 204, text: '' })
  expect(plants.get(5_000)).toBeUndefined()
})

testControl(
  'a record that refers to one that is gone can be changed, and the change undone',
  async ({ control, world }) => {
    const { id, user, platform } = world.records.conversations
      .all()
      .find((one) => one.platform === 'web')!
    world.records.users.delete(user!)
    const changed = await control('PATCH', `${path}/conversations/${id}`, { platform: 'ios' })
    expect(changed).toMatchObject({ status: 200, body: { user, platform: 'ios' } })
    expect((await control('POST', '/worlds/default/undo', {})).status).toBe(204)
    expect(world.records.conversations.get(id)).toMatchObject({ user, platform })
    const broken = await control('PATCH', `${path}/conversations/${id}`, { user: 'usr_x' })
    expect(broken).toMatchObject({ status: 400, body: { error: { errors: [{ path: '/user' }] } } })
  },
)

testControl('ids of 64 bits are exact in the path and in the body', async ({ control, world }) => {
  const text = '{"id":9007199254740995,"name":"n","account":"acct_pro"}'
  expect((await control('POST', `${path}/plants`, text)).text).toBe(text)
  expect((await control('GET', `${path}/plants/9007199254740995`)).text).toBe(text)
  expect((await control('GET', `${path}/plants/9007199254740994`)).status).toBe(404)
  expect((await control('GET', `${path}/plants/01`)).status).toBe(404)
  expect((await control('DELETE', `${path}/plants/9007199254740995`)).status).toBe(204)
  expect(world.records.plants.get(9007199254740995n)).toBeUndefined()
})

testControl(
  'every wrong field is named by a JSON Pointer, and nothing changes',
  async ({ control, greenhouse }) => {
    const before = stateOf(greenhouse)
    const user = {
      id: 'usr_1',
      account: 'acct_free',
      app: 'app_x',
      email: 'e',
      name: 'n',
      created_at: 1,
    }
    const deployment = 'deployments/dep_q4zxw6c2m5tn7rka'
    const owner = { '/account': /is missing/ }
    const wrong: [method: string, path: string, body: unknown, errors: Record<string, RegExp>][] = [
      [
        'POST',
        'plants',
        { id: 1.5, nam: 'x' },
        { '/id': /64 bits/, '/name': /is missing/, '/nam': /mean "name"/, ...owner },
      ],
      [
        'POST',
        'plants',
        { ...plant, account: 'acct_fre' },
        { '/account': /no account "acct_fre".* mean "acct_free"/ },
      ],
      ['POST', 'plants', { ...plant, 'a/b~c': 1 }, { '/a~1b~0c': /no such field/ }],
      ['POST', 'plants', [], { '': /an object/ }],
      ['POST', 'users', user, { '/app': /no record of "apps" "app_x"/ }],
      [
        'PATCH',
        deployment,
        { branding: { primary_color: 'red' } },
        { '/branding/primary_color': /#2e7d32/ },
      ],
      ['PATCH', deployment, { state: 'lve' }, { '/state': /Did you mean "live"/ }],
      [
        'PATCH',
        'plants/1',
        { id: 2, account: 'acct_pro' },
        { '/id': /be changed/, '/account': /be changed/ },
      ],
      ['PATCH', 'plants/1', { name: null }, { '/name': /is missing/ }],
      ['PATCH', 'plants/1', [], { '': /an object/ }],
      [
        'PATCH',
        'apps/app_7sm4hb54ca5qj6nu',
        { created_at: 'yesterday' },
        { '/created_at': /Invalid time/ },
      ],
      [
        'PATCH',
        'webhooks/wh_m4t7qzc2xk5wr3nd',
        { app: 'app_x' },
        { '/app': /no record of "apps"/ },
      ],
    ]
    for (const [method, place, body, expected] of wrong) {
      const { status, body: reply } = await control(method, `${path}/${place}`, body)
      expect([place, status, reply.error.code]).toEqual([place, 400, 'invalid_request'])
      const errors: { path: string; message: string }[] = reply.error.errors
      expect(errors.map((error) => error.path).sort()).toEqual(Object.keys(expected).sort())
      for (const error of errors) expect(error.message).toMatch(expected[error.path]!)
    }
    expect(stateOf(greenhouse)).toEqual(before)
  },
)

testControl(
  'an unknown record is 404 with the nearest name, a known one 409',
  async ({ control }) => {
    const nearly = await control('GET', `${path}/apps/app_7sm4hb54ca5qj6nx`)
    expectControlError(nearly, 404, 'unknown_record', /Did you mean "app_7sm4hb54ca5qj6nu"\?/)
    expectControlError(await control('PATCH', `${path}/plants/one`, {}), 404, 'unknown_record')
    expectControlError(
      await control('DELETE', `${path}/plnts/1`),
      404,
      'unknown_collection',
      /Did you mean "plants"\?/,
    )
    const twice = await control('POST', `${path}/plants`, { ...plant, id: 1 })
    expectControlError(twice, 409, 'duplicate_record', /"1" exists already/)
    expectControlError(
      await control('GET', '/worlds/nowhere/records/plants/1'),
      404,
      'unknown_world',
    )
    expect(
      (await control('POST', '/worlds/nowhere/records/plants', { ...plant, account: 'x' })).status,
    ).toBe(400)
    expectControlError(await control('GET', '/worlds/nowhere'), 404, 'unknown_world')
  },
)

testControl(
  'a record that others refer to is deleted only with cascade',
  async ({ control, greenhouse, world }) => {
    const { records } = world
    const before = stateOf(greenhouse)
    const inUse =
      /^Other records refer to "app_7sm4hb54ca5qj6nu": 3 of "users", \d+ of "conversations"\. Delete them first, or delete all with \?cascade=true\.$/
    expectControlError(
      await control('DELETE', `${path}/apps/app_7sm4hb54ca5qj6nu`),
      409,
      'record_in_use',
      inUse,
    )
    await expectInvalid(
      control('DELETE', `${path}/accounts/acct_free?cascade=yes`),
      /"true", "false"/,
    )
    expect(stateOf(greenhouse)).toEqual(before)
    expect((await control('DELETE', `${path}/accounts/acct_free?cascade=true`)).status).toBe(204)
    for (const collection of Object.values(records))
      expect(toJson(collection.all())).not.toContain('"acct_free"')
    expect(records.apps.get('app_7sm4hb54ca5qj6nu')).toBeUndefined()
    expect(records.accounts.count()).toBe(3)
  },
)

testControl(
  'what went with an app refers to its account no longer',
  async ({ control, call, world }) => {
    const { conversations, messages } = world.records
    const app = 'app_elo3utvjxuf463kq'
    const [first] = messages.find({ conversation: conversations.find({ app })[0]!.id })
    messages.create({ ...first!, id: 'msg_aaaaaaaaaaaaaaaa' })
    await call(`/v1/apps/${app}`, {
      method: 'DELETE',
      headers: { authorization: 'Bearer key_free' },
    })
    const { error } = (await control('DELETE', `${path}/accounts/acct_free`)).body
    expect(error.message).toContain(`${messages.count({ account: 'acct_free' })} of "messages"`)
  },
)

testControl(
  'a key is found by fingerprint or name, and never shown',
  async ({ control, world }) => {
    const id = toFingerprint('key_pro')
    const { body, text } = await control('GET', `${path}/keys/${id}`)
    expect(body).toEqual({ secret: id, account: 'acct_pro' })
    expect(text).not.toContain('key_pro')
    expect((await control('GET', `${path}/keys/key_pro`)).body).toEqual(body)
    world.records.keys.create({ secret: 'key_of_code', account: 'acct_pro' })
    expect((await control('GET', `${path}/keys/key_of_code`)).status).toBe(404)
    const changed = await control('PATCH', `${path}/keys/${id}`, { secret: id, revoked: true })
    expect(changed.body).toEqual({ secret: id, account: 'acct_pro', revoked: true })
    expect(world.records.keys.get('key_pro')).toEqual({
      secret: 'key_pro',
      account: 'acct_pro',
      revoked: true,
    })
    const added = await control('POST', `${path}/keys`, {
      secret: 'fp_000000000000',
      account: 'acct_pro',
    })
    expect([added.status, added.body.error.message]).toEqual([
      400,
      expect.stringContaining('no key with the fingerprint'),
    ])
  },
)

testControl(
  'records come as the store or as fixture files write them',
  frozen,
  async ({ control, world }) => {
    const app = { id: 'app_one', account: 'acct_free', name: 'one' }
    const at = world.clock.now() - 3_600_000
    const added = await control('POST', `${path}/apps`, { ...app, created_at: '1h ago' })
    expect(added.body).toEqual({ ...app, created_at: at, updated_at: at })
    const changed = await control('PATCH', `${path}/apps/app_one`, {
      updated_at: '1m ago',
      model: null,
    })
    expect(changed.body).toEqual({
      ...app,
      model: null,
      created_at: at,
      updated_at: at + 3_540_000,
    })
    const stored = await control('POST', `${path}/apps`, {
      ...app,
      id: 'app_two',
      created_at: 1,
      updated_at: 2,
    })
    expect(stored.body).toMatchObject({ created_at: 1, updated_at: 2 })
  },
)

const parts = defineCollection({
  name: 'parts',
  schema: z.object({ id: z.string(), whole: z.string() }),
  refers: { whole: 'parts' },
})

testControl(
  'records that refer to each other or to themselves are deleted with cascade',
  { collections: [parts] },
  async ({ control, world }) => {
    const path = '/worlds/default/records/parts'
    const given = [
      ['a', 'b'],
      ['b', 'a'],
      ['c', 'c'],
    ].map(([id, whole]) => ({ id, whole }))
    expect((await control('PUT', path, given)).status).toBe(200)
    for (const id of ['a', 'c'])
      expect((await control('DELETE', `${path}/${id}?cascade=true`)).status).toBe(204)
    expect((world.records as any).parts.all()).toEqual([])
  },
)

testControl(
  'records that are replaced may name one another, and what they named before',
  { collections: [parts] },
  async ({ control, world }) => {
    const { parts: stored, messages, conversations } = world.records as any
    const loop = [
      { id: 'a', whole: 'b' },
      { id: 'b', whole: 'a' },
    ]
    const path = '/worlds/default/records'
    expect((await control('PUT', `${path}/parts`, loop)).body.data).toEqual(loop)
    stored.replace(loop)
    const wrong = [...loop, { id: 'c', whole: 'd' }]
    await expectInvalid(
      control('PUT', `${path}/parts`, wrong),
      /^parts\.2\.whole: there is no record of "parts" "d"\.$/,
    )
    expect(() => stored.replace(wrong)).toThrow('there is no record of "parts" "d"')
    expect(() => stored.replace([null])).toThrow('Failed to store a record of "parts"')
    const [{ conversation }] = messages.all()
    conversations.delete(conversation)
    const { data } = (await control('GET', `${path}/messages`)).body
    expect((await control('PUT', `${path}/messages`, { data })).status).toBe(200)
    messages.replace(messages.all())
    expect(messages.count()).toBe(data.length)
  },
)
