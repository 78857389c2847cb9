import { expect } from 'vitest'
import { nobody } from '../support/cli.ts'
import { start, testApi, type Client } from '../support/test-api.ts'
import { deploy, deployed } from './deploy.ts'

/** Subscribes an account to the events of deployments. Returns a function that reads what was sent since, the oldest first. */
async function listen({ call, world }: Pick<Client, 'call' | 'world'>, key = 'key_pro') {
  const body = { url: nobody, events: ['deployment.live', 'deployment.failed'] }
  const { id } = (await call('POST', '/v1/webhooks', { key, body })).body
  return async () => {
    await world.settled()
    return world.records.deliveries.find(({ webhook }) => webhook === id).map(({ payload }) => JSON.parse(payload))
  }
}

testApi(
  'a deployment that goes live sends deployment.live once, with its state at that time',
  async ({ call, world }) => {
    const events = await listen({ call, world })
    const { verify, look } = await deployed(call)
    await verify()
    expect(await events()).toEqual([])
    world.clock.advance('10m')
    const live = await look()
    await verify()
    const at = new Date(Date.parse(start) + 30_000).toISOString()
    expect(await events()).toEqual([{ type: 'deployment.live', timestamp: at, data: live }])
  },
)

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
