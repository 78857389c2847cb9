import { expect, test } from 'vitest'
import { nobody, run, startServe } from '../support/cli.ts'

test('switches scenarios of a running server on and off', async () => {
  const { ready, call, stop } = await startServe()
  const at = ['--server', ready.plants_url]
  expect(await run(['scenario', 'use', 'expired-key:key=key_pro', ...at])).toMatchObject({
    code: 0,
    stdout: 'Active in the world "default": expired-key:key=key_pro,after=0s\n',
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

test('switches scenarios of one world, adding or replacing, all or none', async () => {
  const { ready, call, stop } = await startServe()
  const at = ['--server', ready.plants_url, '--world', 'checkout']
  const activate = async (...args: string[]) => {
    const { active } = JSON.parse((await run(['scenario', ...args, '--json', ...at])).stdout)
    return active
      .map(({ name, ms }: { name: string; ms?: number }) => (ms === undefined ? name : `${name} ${ms}`))
      .join()
  }
  expect(await activate('use', 'expired-key')).toBe('expired-key')
  expect((await call('/~checkout/plants')).status).toBe(401)
  expect((await call('/plants')).status).toBe(200)
  expect(await activate('use', 'slow:ms=1', 'flaky')).toBe('expired-key,slow 1,flaky')
  expect(await activate('use', 'slow:ms=2')).toBe('expired-key,flaky,slow 2')
  expect(await run(['scenario', 'use', 'maintenance', 'slwo', ...at])).toMatchObject({ code: 2, stdout: '' })
  expect(await activate('clear', 'flaky')).toBe('expired-key,slow 2')
  expect(await activate('use', '--only', 'rate-limited-plan', 'expired-key')).toBe('rate-limited-plan,expired-key')
  expect(await run(['scenario', 'clear', 'expird-key', ...at])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean "expired-key"?'),
  })
  expect(await activate('clear', 'rate-limited-plan,expired-key')).toBe('')
  await stop()
})

test('takes inline scenarios, in YAML or JSON', async () => {
  const { ready, call, stop } = await startServe()
  const inline = ['{respond: [{status: 401, where: {account: acct_pro}, times: 3}]}', '{"name": "slow", "ms": 1}']
  expect(await run(['scenario', 'use', ...inline, 'flaky:on=apps.*', '--server', ready.plants_url])).toMatchObject({
    stdout: expect.stringMatching(/: inline-1, slow:ms=1.*, flaky:/),
  })
  const statuses = []
  for (const key of ['key_pro', 'key_lite', 'key_pro', 'key_pro', 'key_pro'])
    statuses.push((await call('/plants', { key })).status)
  expect(statuses).toEqual([401, 200, 401, 401, 200])
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
    [['use', '{respond: [', ...at], /^\{respond: \[: expected an object in JSON or YAML: /],
    [['use', '{repond: []}', ...at], /repond: there is no such field.*Did you mean "respond"/],
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
    stderr: `Failed to reach a Greenhouse at ${nobody}: ECONNREFUSED. Start one with greenhouse-mock serve, or name another server with --server or GREENHOUSE_URL.\n`,
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
    stdout: 'Active in the world "checkout": expired-key:key=any,after=0s\n',
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
  expect(active.map(({ name }) => name)).toEqual(['expired-key', 'flaky', 'slow', 'rate-limited-plan'])
  await stop()
})
