import { afterEach, expect, vi } from 'vitest'
import type { WorldEvent } from '../../src/core/definitions/events.ts'
import { LiveWorld } from '../../src/core/world/live-world.ts'
import { start, through } from '../support/through.ts'
import { deploy, deployed } from './deploy.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** The events of deployments from now on. */
function listen(): WorldEvent[] {
  const events: WorldEvent[] = []
  const emit = LiveWorld.prototype.emit
  vi.spyOn(LiveWorld.prototype, 'emit').mockImplementation(function (this: LiveWorld, event) {
    if (event.type.startsWith('deployment.')) events.push(event)
    emit.call(this, event)
  })
  return events
}

through('a deployment that goes live is told of once, with what it is by then', async ({ call, world }) => {
  const events = listen()
  const { verify, look } = await deployed(call)
  await verify()
  expect(events).toEqual([])
  world.clock.advance('10m')
  const live = await look()
  await verify()
  expect(events).toEqual([
    {
      type: 'deployment.live',
      at: Date.parse(start) + 30_000,
      account: 'acct_pro',
      app: 'app_w33c4cwmhfyfktiv',
      data: live,
    },
  ])
})

through('a deployment on a domain of ours is told of as it is created', async ({ call }) => {
  const events = listen()
  const { body } = await deploy(call, {}, { key: 'key_free' })
  expect(events).toEqual([
    { type: 'deployment.live', at: Date.parse(start), account: 'acct_free', app: 'app_7sm4hb54ca5qj6nu', data: body },
  ])
})

through(
  'each way to fail is told of, and the deployments that were deleted or are refused are not',
  async ({ call, world }) => {
    const events = listen()
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
    const own = events.filter(({ data }) => [timeout, mismatch, refused, gone].some(({ id }) => id === data['id']))
    expect(own.map(({ type, data }) => [type, data['id'], (data['failure'] as { code: string }).code])).toEqual([
      ['deployment.failed', mismatch.id, 'dns_mismatch'],
      ['deployment.failed', refused.id, 'certificate_failed'],
      ['deployment.failed', timeout.id, 'dns_timeout'],
    ])
  },
)

through('a change of the branding is not told as another arrival', async ({ call }) => {
  const { body } = await deploy(call, {})
  const events = listen()
  await call('PATCH', `/v1/apps/${body.app_id}/deployments/${body.id}`, { body: { branding: { name: 'x' } } })
  expect(events).toEqual([])
})
