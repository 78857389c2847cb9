import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'
import { startQuietServe } from '../support/process.ts'

test('the first line of --log json says where everything is', async () => {
  const { ready, call, stop, output } = await startServe(['--scenario', 'malformed-plant:item=1'])
  expect(ready).toMatchObject({
    event: 'ready',
    plants_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    apps_url: ready.plants_url + '/v1',
    scenarios: ['malformed-plant'],
  })
  expect(ready.keys).toMatchObject({
    key_free: { plan: 'free', account: 'acct_free' },
    key_lite: { plan: 'lite', account: 'acct_lite' },
    key_pro: { plan: 'pro', account: 'acct_pro' },
    key_pro_plus: { plan: 'pro_plus', account: 'acct_pro_plus' },
  })
  expect((await call('/plants')).status).toBe(200)
  expect((await fetch(ready.apps_url + '/apps', { headers: { authorization: 'Bearer key_free' } })).status).toBe(200)
  await stop()
  for (const line of output.stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('event')
})

test('with --log silent nothing is printed', async () => {
  const { child, ended, url } = await startQuietServe(['--log', 'silent'])
  expect((await fetch(`${url}/plants`)).status).toBe(401)
  child.kill('SIGTERM')
  expect(await ended).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
})
