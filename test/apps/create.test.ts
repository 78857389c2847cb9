import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'

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
  expect(body).toEqual({
    ...everyField,
    id: expect.stringMatching(/^app_[a-z2-7]{16}$/),
    created_at: start,
    updated_at: start,
  })
})

testApi('an app needs only a name; the other fields are null and login is not required', async ({ call, world }) => {
  world.clock.set(start)
  const { status, body } = await call('POST', '/v1/apps', { body: { name: 'bare' } })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(String),
    name: 'bare',
    display_name: null,
    description: null,
    model: null,
    system_prompt: null,
    welcome_message: null,
    login_required: false,
    created_at: start,
    updated_at: start,
  })
})

testApi('a text field that is sent as null is null', async ({ call }) => {
  const nulls = { display_name: null, description: null, model: null, system_prompt: null, welcome_message: null }
  const { status, body } = await call('POST', '/v1/apps', { body: { name: 'nulls', ...nulls } })
  expect(status).toBe(201)
  expect(body).toMatchObject(nulls)
})

testApi('a created app is found by its id and stands first in the list', async ({ call }) => {
  const { body } = await call('POST', '/v1/apps', { body: everyField })
  expect((await call('GET', `/v1/apps/${body.id}`)).body).toEqual(body)
  expect((await call('GET', '/v1/apps?limit=1')).body.data).toEqual([body])
})

testApi('two apps can share a name, and have ids of their own', async ({ call }) => {
  const first = await call('POST', '/v1/apps', { body: { name: 'twin' } })
  const second = await call('POST', '/v1/apps', { body: { name: 'twin' } })
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body.id).not.toBe(first.body.id)
})

testApi('text in any script and with markup comes back as it was sent', async ({ call }) => {
  const body = { name: 'фикус 🪴 <b>&amp;</b>', description: '"\\\u0000\u2028\n\t', welcome_message: '' }
  const created = await call('POST', '/v1/apps', { body })
  expect(created.status).toBe(201)
  expect((await call('GET', `/v1/apps/${created.body.id}`)).body).toMatchObject(body)
})

testApi('with apps.create.status=200 a creation is answered with 200', async ({ call, world }) => {
  world.assume('apps.create.status', '200')
  const { status, body } = await call('POST', '/v1/apps', { body: { name: 'bare' } })
  expect(status).toBe(200)
  expect((await call('GET', `/v1/apps/${body.id}`)).status).toBe(200)
})
