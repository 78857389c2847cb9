import { expect, test } from 'vitest'
import { malformations } from 'greenhouse-mock'
import { nobody, run } from '../support/cli.ts'
import { print, startWithCommands } from './server.ts'

test('scenario list --search lists what it finds, the nearest first', async () => {
  expect((await print('scenario', 'list', '--search', '429 day')).split('\n')[1]).toMatch(/^rate-limited-day /)
})

test('scenario list --search says plainly that nothing was found, and what was probably meant', async () => {
  expect(await print('scenario', 'list', '--search', 'retyr')).toMatch(
    /^No scenario has "retyr"\. Did you mean "retry"\? "greenhouse-mock scenario list" shows all \d+\.\n$/,
  )
})

test('scenario list --malformations lists the malformations of every operation and their total', async () => {
  const [table = '', total] = (await print('scenario', 'list', '--malformations')).trimEnd().split('\n\n')
  const all = malformations()
  const rows = table.split('\n').slice(1)
  expect(rows.map((line) => line.split(/ +/))).toEqual(
    all.map(({ options: { on, at, kind }, breaks }) => [on, at === '' ? '""' : at, kind, breaks ? 'yes' : 'no']),
  )
  const breaking = all.filter(({ breaks }) => breaks).length
  expect(total).toBe(`${all.length} malformations, ${breaking} of them break the schema.`)
})

test('scenario show prints what a scenario does, what its options take and what it acts on', async () => {
  const malformed = await print('scenario', 'show', 'malformed-plant')
  expect(malformed).toMatch(/^malformed-plant: Malformed plant\n/)
  expect(malformed).toMatch(/^ +field +Which field: one of "name", "tag"; name by default$/m)
  const slow = await print('scenario', 'show', 'slow')
  expect(slow).toContain('Acts on: plants, apps\n')
  expect(slow).toMatch(/ms +How long: a whole number of milliseconds, 0 or more; 1000 by default\n/)
  expect(await print('scenario', 'show', 'plan-upgrade')).toContain('Acts on: apps\n')
  expect(await print('scenario', 'show', 'webhook-lost')).toContain('Acts on: webhooks\n')
})

test('scenario use and clear switch scenarios of a running server on and off', async () => {
  const server = await startWithCommands()
  expect(await server.print('scenario', 'use', 'expired-key:key=key_pro')).toBe(
    'Active in the world "default": expired-key:key=key_pro,after=0s\n',
  )
  expect((await server.call('/plants')).status).toBe(401)
  expect((await server.call('/plants', { key: 'key_lite' })).status).toBe(200)
  expect(await server.print('scenario', 'clear')).toBe('No scenario is active in the world "default".\n')
  expect((await server.call('/plants')).status).toBe(200)
})

test('scenarios of one world are added or replaced, all or none', async () => {
  const server = await startWithCommands()
  const world = ['--world', 'checkout']
  const activate = async (...words: string[]) => {
    const { active } = await server.printJson('scenario', ...words, ...world)
    const names = active.map(({ name, ms }: { name: string; ms?: number }) =>
      ms === undefined ? name : `${name} ${ms}`,
    )
    return names.join()
  }
  expect(await activate('use', 'expired-key')).toBe('expired-key')
  expect((await server.call('/~checkout/plants')).status).toBe(401)
  expect((await server.call('/plants')).status).toBe(200)
  expect(await activate('use', 'slow:ms=1', 'flaky')).toBe('expired-key,slow 1,flaky')
  expect(await activate('use', 'slow:ms=2')).toBe('expired-key,flaky,slow 2')
  expect(await server.command('scenario', 'use', 'maintenance', 'slwo', ...world)).toMatchObject({
    code: 2,
    stdout: '',
  })
  expect(await activate('clear', 'flaky')).toBe('expired-key,slow 2')
  expect(await activate('use', '--only', 'rate-limited-plan', 'expired-key')).toBe('rate-limited-plan,expired-key')
  expect(await activate('clear', 'rate-limited-plan,expired-key')).toBe('')
})

test('inline scenarios are YAML or JSON', async () => {
  const server = await startWithCommands()
  const inline = ['{respond: [{status: 401, where: {account: acct_pro}, times: 3}]}', '{"name": "slow", "ms": 1}']
  const stdout = await server.print('scenario', 'use', ...inline, 'flaky:on=apps.*')
  expect(stdout).toMatch(/: inline-1, slow:ms=1.*, flaky:/)
  const statuses = []
  for (const key of ['key_pro', 'key_lite', 'key_pro', 'key_pro', 'key_pro'])
    statuses.push((await server.call('/plants', { key })).status)
  expect(statuses).toEqual([401, 200, 401, 401, 200])
})

test('several scenarios stand apart by spaces or commas', async () => {
  const server = await startWithCommands('--scenario', 'slow, expired-key')
  expect(server.ready.scenarios).toEqual(['slow', 'expired-key'])
  const { active } = await server.printJson('scenario', 'use', 'flaky,slow', 'rate-limited-plan')
  expect(active.map(({ name }: { name: string }) => name)).toEqual([
    'expired-key',
    'flaky',
    'slow',
    'rate-limited-plan',
  ])
})

/** Every command that calls a server, and what it prints of the world "checkout". */
const commands: readonly (readonly [words: readonly string[], pattern: RegExp])[] = [
  [['scenario', 'use', 'slow:ms=1'], /"checkout"/],
  [['status'], /^World +checkout$/m],
  [['log'], /\/~checkout\/plants/],
  [['clock'], /^2031-05-06T07:00:00\.000Z, frozen$/m],
  [['records'], /^plants +\d+$/m],
  [['trigger', 'plant.created'], /"checkout"/],
  [['scenario', 'clear'], /"checkout"/],
  [['reset'], /"checkout"/],
]

test('commands that call a server take GREENHOUSE_URL, _TOKEN and _WORLD; flags win over them', async () => {
  const { url, call } = await startWithCommands('--token', 'secret', '--frozen', '--now', '2031-05-06T07:00:00Z')
  await call('/~checkout/plants')
  const own = { GREENHOUSE_URL: url, GREENHOUSE_TOKEN: 'secret', GREENHOUSE_WORLD: 'checkout' }
  const env = { ...process.env, ...own }
  const flags = ['--server', url, '--token', 'secret', '--world', 'checkout']
  const wrong = { ...env, GREENHOUSE_URL: nobody, GREENHOUSE_TOKEN: 'wrong', GREENHOUSE_WORLD: 'other' }
  for (const [words, pattern] of commands) {
    const name = words.join(' ')
    const stdout = expect.stringMatching(pattern)
    expect(await run(words, { env }), name).toMatchObject({ code: 0, stdout, stderr: '' })
    if (words[0] === 'log') await call('/~checkout/plants')
    expect((await run([...words, ...flags], { env: wrong })).code, name).toBe(0)
    const rejected = await run(words, { env: { ...env, GREENHOUSE_TOKEN: 'wrong' } })
    expect(rejected, name).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/token is missing or wrong/),
    })
    expect(rejected.stderr).not.toContain('secret')
  }
  const elsewhere = await run(['scenario', 'clear', '--server', nobody], { env })
  expect(elsewhere.stderr).toContain(`Failed to reach a Greenhouse at ${nobody}`)
})
