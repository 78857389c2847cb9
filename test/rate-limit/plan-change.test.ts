import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { rate, spend, statusFor } from './spend.ts'

for (const window of ['calendar', 'first-request', 'sliding'] as const)
  testApi(`a plan change applies to the very next request, and keeps what was spent (${window})`, async (client) => {
    const { accounts } = client.world.records
    client.world.clock.set(start)
    client.world.assume('rate-limit.window', window)
    await spend(client, 60)
    expect(await statusFor(client)).toBe(429)

    await accounts.update('acct_free', { plan: 'lite' })
    const up = await client.call('GET', '/v1/apps', { key: 'key_free' })
    expect(up.status).toBe(200)
    expect(rate(up)).toMatchObject({ limit: '120', remaining: '59' })

    await accounts.update('acct_free', { plan: 'free' })
    const down = await client.call('GET', '/v1/apps', { key: 'key_free' })
    expect(down.status).toBe(429)
    expect(rate(down)).toMatchObject({ limit: '60', remaining: '0' })
  })
