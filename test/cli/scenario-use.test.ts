import { expect, test } from 'vitest'
import { nobody, run, startServe } from '../support/cli.ts'

test('switches scenarios of a running server on and off', async () => {
  const { ready, call, stop } = await startServe()
  const at = ['--server', ready.plants_url]
  expect(await run(['scenario', 'use', 'expired-key:key=key_pro', ...at])).toMatchObject({
    code: 0,
    stdout: 'Active in the world "default": expired-key:key=key_pro\n',
    stderr: '',
  })
  expect((await call('/plants')).status).toBe(401)
  expect((await call('/plants', { key: 'key_lite' })).status).toBe(200)
  expect(await run(['scenario', 'clear', ...at])).toMatchObject({
    code: 0,
    stdout: 'No scenario is active in the world "default".\n',
    stderr: '',
  })
  expect((await call('/plants')).status).toBe(200)
  await stop()
})

test('switches those of one world, in place of the ones before', async () => {
  const { ready, call, stop } = await startServe()
  const at = ['--server', ready.plants_url, '--world', 'checkout']
  await run(['scenario', 'use', 'expired-key', ...at])
  expect((await call('/~checkout/plants')).status).toBe(401)
  expect((await call('/plants')).status).toBe(200)
  expect((await run(['scenario', 'use', 'rate-limited-plan', 'expired-key', ...at])).code).toBe(0)
  const { active } = (await (await fetch(`${ready.plants_url}/__greenhouse/worlds/checkout/scenarios`)).json()) as {
    active: { name: string }[]
  }
  expect(active.map(({ name }) => name)).toEqual(['rate-limited-plan', 'expired-key'])
  await stop()
})

test('says what the server does not take, with exit code 2', async () => {
  const { ready, stop } = await startServe()
  const at = ['--server', ready.plants_url]
  const failures: [args: string[], message: RegExp][] = [
    [['use', 'expird-key', ...at], /Failed to use the scenario "expird-key".*Did you mean "expired-key"/],
    [['use', 'expired-key:aftr=1h', ...at], /no option "aftr"/],
    [['use', 'expired-key', '--world', '../x', ...at], /--world \.\.\/x: expected 1 to 64 of the characters/],
    [['use', ...at], /./],
    [['clear', '--server', 'nonsense'], /--server nonsense: expected a URL/],
    [['clear', '--server', 'ftp://127.0.0.1'], /expected a URL/],
  ]
  for (const [args, message] of failures)
    expect(await run(['scenario', ...args])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    })
  await stop()
})

test('says how to start a server where there is none, without a stack', async () => {
  expect(await run(['scenario', 'use', 'expired-key', '--server', nobody])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `Failed to reach a Greenhouse at ${nobody}: ECONNREFUSED. Start one with greenhouse serve, or name another server with --server or GREENHOUSE_URL.\n`,
  })
})

test('shows the token that the server asks for', async () => {
  const { ready, stop } = await startServe(['--token', 'secret'])
  const at = ['--server', ready.plants_url]
  expect(await run(['scenario', 'clear', ...at])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/token is missing or wrong/),
  })
  expect((await run(['scenario', 'clear', '--token', 'secret', ...at])).code).toBe(0)
  await stop()
})

test('takes the server, the world and the token from the environment; flags win', async () => {
  const { ready, call, stop } = await startServe(['--token', 'secret'])
  const env = {
    ...process.env,
    GREENHOUSE_URL: ready.plants_url,
    GREENHOUSE_WORLD: 'checkout',
    GREENHOUSE_TOKEN: 'secret',
  }
  expect(await run(['scenario', 'use', 'expired-key'], { env })).toMatchObject({
    code: 0,
    stdout: 'Active in the world "checkout": expired-key\n',
  })
  expect([(await call('/~checkout/plants')).status, (await call('/plants')).status]).toEqual([401, 200])
  expect(await run(['scenario', 'clear', '--world', 'other'], { env })).toMatchObject({
    code: 0,
    stdout: 'No scenario is active in the world "other".\n',
  })
  expect((await call('/~checkout/plants')).status).toBe(401)
  expect(await run(['trigger', 'plant.created'], { env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('in the world "checkout"'),
  })
  expect(await run(['scenario', 'clear', '--server', nobody], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Failed to reach a Greenhouse at ${nobody}`),
  })
  expect(await run(['scenario', 'clear'], { env: { ...env, GREENHOUSE_URL: 'nowhere' } })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'GREENHOUSE_URL=nowhere: expected a URL, such as GREENHOUSE_URL=http://127.0.0.1:4010.',
    ),
  })
  await stop()
})

test('several scenarios stand apart by spaces or commas', async () => {
  const { ready, stop } = await startServe(['--scenario', 'slow, expired-key'])
  expect(ready.scenarios).toEqual(['slow', 'expired-key'])
  await run(['scenario', 'use', 'flaky,slow', 'rate-limited-plan', '--server', ready.plants_url])
  const { active } = (await (await fetch(`${ready.plants_url}/__greenhouse/worlds/default/scenarios`)).json()) as {
    active: { name: string }[]
  }
  expect(active.map(({ name }) => name)).toEqual(['flaky', 'slow', 'rate-limited-plan'])
  await stop()
})
