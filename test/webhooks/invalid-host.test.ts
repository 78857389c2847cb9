import { expect } from 'vitest'
import { through } from '../support/through.ts'

through(
  'a host below .invalid, which has no address anywhere, fails an attempt at once, and nothing leaves',
  async ({ call, world }) => {
    const { id } = (
      await call('POST', '/v1/webhooks', { body: { url: 'https://crm.invalid/hook', events: ['app.created'] } })
    ).body
    await call('POST', '/v1/apps', { body: { name: 'helper' } })
    await world.settled()
    const [delivery] = (await call('GET', `/v1/webhooks/${id}/deliveries`)).body.data
    expect(delivery).toMatchObject({
      status: 'pending',
      attempts: [{ status: null, error: 'getaddrinfo ENOTFOUND crm.invalid' }],
    })
  },
)
