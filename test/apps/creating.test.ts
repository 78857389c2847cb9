import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { fillApps } from './walk.ts'

const everyField = {
  name: 'fern-guide',
  display_name: 'Fern Guide',
  description: 'Knows all about ferns',
  model: 'sprout-large',
  system_prompt: 'You are Fern Guide.',
  welcome_message: 'Hello, fern friend!',
  login_required: true,
}

testApi('a created app comes back with every field that was sent, an id and two times', async ({ call, world }) => {
  world.clock.set(start)
  const { status, body } = await call('POST', '/v1/apps', { body: everyField })
  expect(status).toBe(201)
  const id = expect.stringMatching(/^app_[a-z2-7]{16}$/)
  expect(body).toEqual({ ...everyField, id, created_at: start, updated_at: start })
})

const nulls = { display_name: null, description: null, model: null, system_prompt: null, welcome_message: null }

testApi('an app needs only a name; the other fields are null and login is not required', async ({ call, world }) => {
  world.clock.set(start)
  for (const asked of [{ name: 'bare' }, { name: 'bare', ...nulls }]) {
    const { status, body } = await call('POST', '/v1/apps', { body: asked })
    expect(status).toBe(201)
    const made = { id: expect.any(String), login_required: false, created_at: start, updated_at: start }
    expect(body).toEqual({ ...made, name: 'bare', ...nulls })
  }
})

testApi('text in any script and with markup comes back as it was sent', async ({ call }) => {
  const body = { name: 'фикус 🪴 <b>&amp;</b>', description: '"\\\u0000\u2028\n\t', welcome_message: '' }
  const created = await call('POST', '/v1/apps', { body })
  expect(created.status).toBe(201)
  expect((await call('GET', `/v1/apps/${created.body.id}`)).body).toMatchObject(body)
})

const noNames = ['{"name":12345678901234567890}', '{"__proto__":{"name":"inherited"},"n":12345678901234567}']

/** Bodies by the field that the message begins with. */
const invalid: Record<string, unknown[]> = {
  name: [...noNames, {}, { name: null }, { name: '' }, { name: 1 }, { name: ['x'] }, { display_name: 'no name' }],
  display_name: [{ name: 'x', display_name: 1 }],
  description: [{ name: 'x', description: [] }],
  model: [{ name: 'x', model: {} }],
  system_prompt: [{ name: 'x', system_prompt: true }],
  welcome_message: [{ name: 'x', welcome_message: 0 }],
  login_required: ['true', null, 1].map((login_required) => ({ name: 'x', login_required })),
  'The body must be a JSON object': ['[]', 'null', '"name"'],
}

testApi('a body that is no new app is 400 with the field, and makes nothing', async ({ call, world }) => {
  const before = world.records.apps.count()
  for (const [about, bodies] of Object.entries(invalid))
    for (const body of bodies) {
      const { status, body: answer } = await call('POST', '/v1/apps', { body })
      expect([status, answer.error.code], JSON.stringify(body)).toEqual([400, 'invalid_request'])
      expect(answer.error.message.startsWith(about), answer.error.message).toBe(true)
    }
  expect(world.records.apps.count()).toBe(before)
})

const caps = { free: 5, lite: 50, pro: 100, pro_plus: 1_000 }

for (const [plan, cap] of Object.entries(caps))
  testApi(`the plan ${plan} permits ${cap} apps, and one more is 403`, async ({ call, world }) => {
    fillApps(world, `acct_${plan}`, cap - 1)
    expect((await call('POST', '/v1/apps', { key: `key_${plan}`, body: { name: 'last' } })).status).toBe(201)
    const { status, body } = await call('POST', '/v1/apps', { key: `key_${plan}`, body: { name: 'one too many' } })
    expect(status).toBe(403)
    const message = expect.stringContaining(String(cap))
    expect(body.error).toMatchObject({ code: 'insufficient_permissions', message })
    expect(world.records.apps.count()).toBe(cap)
  })

testApi('of ten creations at once only as many succeed as the plan permits', async ({ call, world }) => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => call('POST', '/v1/apps', { key: 'key_free', body: { name: 'x' } })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array<number>(7).fill(403)])
  expect(world.records.apps.find((app) => app.account === 'acct_free')).toHaveLength(5)
})

testApi('a plan that changes changes the cap of the very next creation', async ({ call, world }) => {
  fillApps(world, 'acct_free', 5)
  await world.records.accounts.update('acct_free', { plan: 'lite' })
  expect((await call('POST', '/v1/apps', { key: 'key_free', body: { name: 'x' } })).status).toBe(201)
  await world.records.accounts.update('acct_free', { plan: 'free' })
  expect((await call('POST', '/v1/apps', { key: 'key_free', body: { name: 'x' } })).status).toBe(403)
  expect((await call('GET', '/v1/apps', { key: 'key_free' })).body.data).toHaveLength(6)
})
