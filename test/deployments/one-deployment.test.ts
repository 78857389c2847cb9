import { expect } from 'vitest'
import { nobody } from '../support/cli.ts'
import { type Client, start, testApi } from '../support/test-api.ts'
import { deploy, deployed, pathOf } from './deploy.ts'

testApi("an app's deployments are listed, newest first, page by page, as they are got alone", async ({ call }) => {
  const fixture = 'dep_q4zxw6c2m5tn7rka'
  const first = (await deploy(call, {})).body
  const second = (await deploy(call, { domain: 'chat.example.com' })).body
  const page = await call('GET', `${pathOf()}?limit=2`)
  expect(page.body).toEqual({ data: [second, first], has_more: true, next_cursor: expect.any(String) })
  const rest = await call('GET', `${pathOf()}?limit=2&cursor=${page.body.next_cursor}`)
  expect(rest.body).toMatchObject({
    data: [{ id: fixture, state: 'live', domain: 'chat.orchids.example' }],
    has_more: false,
    next_cursor: null,
  })
  expect((await call('GET', pathOf('key_pro', fixture))).body).toEqual(rest.body.data[0])
  expect((await call('GET', '/v1/apps/app_wfr4wqydlhx43ree/deployments')).body.data).toEqual([])
})

testApi('a change of the branding leaves the fields that it does not name, and the state', async ({ call, world }) => {
  const branding = { name: 'Chat', primary_color: '#2E7D32' }
  const { body } = await deploy(call, { domain: 'chat.example.com', branding })
  world.clock.advance('5s')
  const changed = await call('PATCH', pathOf('key_pro', body.id), {
    body: { branding: { logo_url: 'https://example.com/logo.svg', name: null } },
  })
  expect(changed.status).toBe(200)
  expect(changed.body).toEqual({
    ...body,
    branding: {
      name: null,
      logo_url: 'https://example.com/logo.svg',
      primary_color: '#2E7D32',
      hide_powered_by: false,
    },
    updated_at: '2026-03-01T12:00:35.000Z',
  })
  const logo_url = 'http://example.com/logo.svg'
  const plain = await call('PATCH', pathOf('key_pro', body.id), { body: { branding: { logo_url } } })
  expect(plain.body.branding).toMatchObject({ logo_url })
})

testApi('a new custom domain starts over, with new records and another 72 hours', async ({ call, world }) => {
  const { path, created, verify, look } = await deployed(call)
  await verify()
  world.clock.advance('60h')
  const { body } = await call('PATCH', path, { body: { domain: 'talk.example.com' } })
  expect(body).toMatchObject({
    id: created.id,
    domain: 'talk.example.com',
    state: 'pending_dns',
    live_at: null,
    verify_before: '2026-03-07T00:00:30.000Z',
  })
  expect(body.dns_records[0].name).toBe('talk.example.com')
  expect(body.dns_records[0].value).not.toBe(created.dns_records[0].value)
  world.clock.advance('71h')
  expect((await look()).state).toBe('pending_dns')
  world.clock.advance('1h')
  expect((await look()).failure.code).toBe('dns_timeout')
})

testApi('the certificate of a domain that was left is not that of the next', async ({ call, world }) => {
  const { path, verify, look } = await deployed(call)
  await verify()
  world.clock.advance('10s')
  await call('PATCH', path, { body: { domain: 'talk.example.com' } })
  world.clock.advance('20s')
  expect((await look()).state).toBe('pending_dns')
  await verify()
  world.clock.advance('29s')
  expect((await look()).state).toBe('issuing_certificate')
})

testApi('with a domain of ours it is live at once', async ({ call }) => {
  const { path } = await deployed(call)
  expect((await call('PATCH', path, { body: { domain: 'mine.greenhouse-apps.example' } })).body).toMatchObject({
    state: 'live',
    custom_domain: false,
    dns_records: [],
  })
})

testApi('a deleted deployment is gone, and what was to come of it does not come', async ({ call, world }) => {
  const waiting = await deployed(call, 'a.example.com')
  const issuing = await deployed(call, 'b.example.com')
  await issuing.verify()
  for (const { path } of [waiting, issuing]) {
    const { status, text } = await call('DELETE', path)
    expect([status, text]).toEqual([204, ''])
    expect((await call('GET', path)).status).toBe(404)
    expect((await call('POST', `${path}/verify`)).status).toBe(404)
    expect((await call('DELETE', path)).status).toBe(404)
  }
  world.clock.advance('100h')
  await world.settled()
  expect(world.records.deployments.find(({ id }) => [waiting.id, issuing.id].includes(id))).toEqual([])
})

/** Subscribes an account to the events of deployments. Returns a function that reads what was sent since, the oldest first. */
async function listen({ call, world }: Pick<Client, 'call' | 'world'>, key = 'key_pro') {
  const body = { url: nobody, events: ['deployment.live', 'deployment.failed'] }
  const { id } = (await call('POST', '/v1/webhooks', { key, body })).body
  return async () => {
    await world.settled()
    return world.records.deliveries.find(({ webhook }) => webhook === id).map(({ payload }) => JSON.parse(payload))
  }
}

testApi('a deployment that goes live sends deployment.live once', async ({ call, world }) => {
  const events = await listen({ call, world })
  const { verify, look } = await deployed(call)
  await verify()
  expect(await events()).toEqual([])
  world.clock.advance('10m')
  const live = await look()
  await verify()
  const at = new Date(Date.parse(start) + 30_000).toISOString()
  expect(await events()).toEqual([{ type: 'deployment.live', timestamp: at, data: live }])
})

testApi('a deployment without a custom domain sends deployment.live when it is created', async ({ call, world }) => {
  const events = await listen({ call, world }, 'key_free')
  const { body } = await deploy(call, {}, { key: 'key_free' })
  expect(await events()).toEqual([{ type: 'deployment.live', timestamp: start, data: body }])
})

testApi('each failure sends an event, and deleted or refused deployments send none', async ({ call, world }) => {
  const events = await listen({ call, world })
  const timeout = await deployed(call, 'a.dns-pending.example')
  const mismatch = await deployed(call, 'b.dns-fails.example')
  const refused = await deployed(call, 'c.certificate-fails.example')
  const gone = await deployed(call, 'd.dns-pending.example')
  await deploy(call, { domain: 'a.dns-pending.example' })
  await mismatch.verify()
  await refused.verify()
  await call('DELETE', gone.path)
  world.clock.advance('100h')
  await world.settled()
  const own = (await events()).filter(({ data }) => [timeout, mismatch, refused, gone].some(({ id }) => id === data.id))
  expect(own.map(({ type, data }) => [type, data.id, data.failure.code])).toEqual([
    ['deployment.failed', mismatch.id, 'dns_mismatch'],
    ['deployment.failed', refused.id, 'certificate_failed'],
    ['deployment.failed', timeout.id, 'dns_timeout'],
  ])
})

testApi('a change of the branding sends no event', async ({ call, world }) => {
  const { body } = await deploy(call, {})
  const events = await listen({ call, world })
  await call('PATCH', `/v1/apps/${body.app_id}/deployments/${body.id}`, { body: { branding: { name: 'x' } } })
  expect(await events()).toEqual([])
})

testApi('a deployment that waits for its certificate waits on after a restore', async ({ call, world }) => {
  const { verify, look } = await deployed(call)
  await verify()
  world.snapshot('issuing')
  world.clock.advance('30s')
  expect((await look()).state).toBe('live')
  world.restore('issuing')
  expect((await look()).state).toBe('issuing_certificate')
  world.clock.advance('30s')
  expect((await look()).state).toBe('live')
})

testApi('a deployment that is not there is named in the error', async ({ call }) => {
  expect((await call('GET', pathOf('key_pro', 'dep_none'))).body.error).toMatchObject({
    code: 'not_found',
    message: 'The app has no deployment with the id "dep_none".',
  })
})
