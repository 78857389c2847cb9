import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { connectOverHttp } from '../../support/mcp.ts'
import { createCaller, start } from '../../support/test-api.ts'

type Use = (tool: string, given?: Record<string, unknown>) => Promise<any>
type App = ReturnType<typeof createCaller>

/** What an agent is asked to do, with tools only. The app under test makes its own requests. */
const tasks: Readonly<Record<string, (use: Use, app: App) => Promise<void>>> = {
  async 'say why a request failed'(use, app) {
    await app('POST', '/v1/webhooks', {
      body: { url: 'http://127.0.0.1:9/', events: ['app.create'] },
    })
    expect(await use('explain_request')).toMatchObject({
      reason: expect.stringContaining('Did you mean "app.created"?'),
      response: { status: 400 },
    })
  },
  async 'switch a scenario on for one key'(use, app) {
    await use('use_scenario', { scenario: 'revoked-key:key=key_lite' })
    expect((await app('GET', '/plants', { key: 'key_lite' })).status).toBe(401)
    expect((await app('GET', '/plants', { key: 'key_pro' })).status).toBe(200)
  },
  async 'let the key of an account expire, and refill its quota'(use, app) {
    const quotaOf = (data: { account: string; minute: { used: number } }[]) =>
      data.find(({ account }) => account === 'acct_pro')!.minute.used
    expect(quotaOf((await use('control', { action: 'quotas.list' })).data)).toBeGreaterThan(0)
    const update = '{"id": "key_pro", "fields": {"expires_at": "2026-02-28T12:00:00Z"}}'
    await use('change_records', { collection: 'keys', update })
    expect((await app('GET', '/plants')).status).toBe(401)
    const { data } = await use('control', {
      action: 'accounts.refill',
      input: '{"id": "acct_pro"}',
    })
    expect(quotaOf(data)).toBe(0)
  },
  async 'reproduce a failure, and copy its request as a test'(use, app) {
    await use('respond', { operation: 'apps.list', status: 503, times: 1 })
    expect((await app('GET', '/v1/apps', { key: 'key_readonly' })).status).toBe(503)
    const { text } = await use('explain_request', { as: 'vitest' })
    expect(text).toMatch(/^import [^]*\ntest\('[^]*503/)
  },
  async 'move the time by 30 days, and see a payment'(use) {
    const id = 'pur_b5xq2nfw7dzk4cmo'
    expect((await use('records', { collection: 'purchases', id })).data).toMatchObject([
      { status: 'pending' },
    ])
    expect(await use('clock', { advance: '30d' })).toMatchObject({
      now: '2026-03-31T12:00:30.000Z',
    })
    expect((await use('records', { collection: 'purchases', id })).data).toMatchObject([
      { status: 'succeeded' },
    ])
  },
}

test('five tasks take an agent at most 12 calls of tools together', async () => {
  await using server = await serve(createGreenhouse({ now: start, frozen: true }))
  const agent = await connectOverHttp(server.url)
  const app = createCaller((path, init) => fetch(server.url + path, init))
  let calls = 0
  const use: Use = (tool, given) => {
    calls++
    return agent.use(tool, given)
  }
  for (const perform of Object.values(tasks)) await perform(use, app)
  expect(calls).toBeLessThanOrEqual(12)
})
