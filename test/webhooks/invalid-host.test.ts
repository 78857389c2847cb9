import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi(
  'an attempt to a .invalid host, which has no address, fails at once and sends nothing',
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
