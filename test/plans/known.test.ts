import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { loadFixtures, loadScenarios } from 'greenhouse-mock/node'
import { serve } from 'greenhouse-mock/server'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { verifyTargets } from '../verify/against.ts'

const plans = [
  { id: 'pro', minute: 10 },
  { id: 'team', minute: 20 },
]
const fixtures = {
  extends: 'default',
  plans,
  accounts: [{ id: 'acct_team', name: 'T', email: 't@example.com', plan: 'team' }],
  keys: [{ secret: 'key_team', account: 'acct_team' }],
}
const scenario =
  'title: T\ndescription: D\ncovers: C\nrespond: [{ on: apps.list, where: { plan: team }, status: 418 }]\n'
const files = {
  'fixtures/all.json': JSON.stringify(fixtures),
  'scenarios/tea.yaml': scenario,
  'greenhouse.config.json': JSON.stringify({ fixtures: './fixtures', scenarios: './scenarios' }),
}

test('scenarios name the plans of fixtures: in conditions, in effects, as options', async () => {
  const folder = writeFolder(files)
  expect(() => loadScenarios(join(folder, 'scenarios'))).toThrow('where.plan: expected one of')
  const loaded = loadFixtures(join(folder, 'fixtures'))
  const scenarios = loadScenarios(join(folder, 'scenarios'), { fixtures: loaded })
  const greenhouse = createGreenhouse({ fixtures: loaded, scenarios })
  const world = greenhouse.world()
  const list = async (key: string) => {
    const request = new Request('http://any/v1/apps', {
      headers: { authorization: `Bearer ${key}` },
    })
    const { status, headers } = await greenhouse.fetch(request)
    return [status, headers.get('x-ratelimit-limit')]
  }
  world.use('tea' as never)
  expect([await list('key_team'), await list('key_lite')].flat()).toEqual([418, '20', 200, '120'])
  world.useOnly([{ name: 'rate-limited-plan', plan: 'team' }])
  expect([await list('key_team'), await list('key_lite')].flat()).toEqual([429, '20', 200, '120'])
  world.useOnly([{ name: 'plan-upgrade', plan: 'team' }])
  expect(await list('key_lite')).toEqual([200, '20'])
  world.useOnly([{ title: 'Down', account: [{ plan: 'team' }] }])
  expect(await list('key_lite')).toEqual([200, '20'])
  expect(() => world.use('rate-limited-plan', { plan: 'teem' as never })).toThrow(
    'Did you mean "team"?',
  )
})

test('the document, the control API, run and check know them', async () => {
  const folder = writeFolder(files)
  const file = join(folder, 'greenhouse.config.json')
  const { stdout } = await run(['openapi', '--config', file])
  const { Plan } = JSON.parse(stdout).components.schemas
  expect(Plan.properties.id.enum).toEqual(['free', 'lite', 'pro', 'pro_plus', 'team'])
  expect(await run(['check', folder])).toMatchObject({ code: 0, stderr: '' })
  const print = `console.log(process.env.GREENHOUSE_KEY_TEAM, process.env.GREENHOUSE_KEY_PRO)`
  expect((await run(['run', '--config', file, '--', process.execPath, '-e', print])).stdout).toBe(
    'key_team key_pro\n',
  )
  const { call, stop } = await startServe(['--config', file])
  const change = (plan: string) =>
    call('/__greenhouse/worlds/default/records/accounts/acct_lite', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ plan }),
    })
  expect(await (await change('team')).json()).toMatchObject({ plan: 'team' })
  expect((await change('teem')).status).toBe(400)
  const gone = await call('/__greenhouse/worlds/default/records/plans/pro?cascade=true', {
    method: 'DELETE',
  })
  expect([gone.status, await gone.text()]).toEqual([
    409,
    expect.stringMatching(/permanent_record.*it always exists/s),
  ])
  const { data } = (await (await call('/__greenhouse/worlds/default/quotas')).json()) as {
    data: object[]
  }
  expect(data).toContainEqual(expect.objectContaining({ account: 'acct_pro', plan: 'pro' }))
  const lite = expect.objectContaining({
    account: 'acct_lite',
    minute: expect.objectContaining({ limit: 20 }),
  })
  expect(data).toContainEqual(lite)
  await stop()
})

test('plans of a configuration work without fixtures, with --fixtures, and across a reload', async () => {
  const folder = writeFolder({
    'greenhouse.config.json': JSON.stringify({ plans }),
    'data/all.yaml': 'extends: default\naccounts: [{ id: acct_pro, plan: team }]\n',
  })
  const file = join(folder, 'greenhouse.config.json')
  const limitOf = async ({ call }: Pick<Awaited<ReturnType<typeof startServe>>, 'call'>) =>
    (await call('/v1/apps')).headers.get('x-ratelimit-limit')
  const alone = await startServe(['--config', file])
  expect(await limitOf(alone)).toBe('10')
  await alone.stop()
  const { call, stop } = await startServe([
    '--config',
    file,
    '--fixtures',
    join(folder, 'data'),
    '--watch',
  ])
  expect(await limitOf({ call })).toBe('20')
  writeFileSync(
    join(folder, 'data/all.yaml'),
    'extends: default\naccounts: [{ id: acct_pro, plan: team, name: N }]\n',
  )
  await expect
    .poll(async () => ((await (await call('/v1/account')).json()) as { name: string }).name)
    .toBe('N')
  expect(await limitOf({ call })).toBe('20')
  await stop()
  const wrong = writeFolder({
    'greenhouse.config.json': '{ "plans": [{ "id": "pro", "minutes": 3 }] }',
  })
  expect(
    (await run(['check', '--config', join(wrong, 'greenhouse.config.json')])).stderr,
  ).toContain('minute')
})

test("verify takes the limits of given plans, otherwise the reference's", async () => {
  const server = await serve(createGreenhouse({ fixtures }))
  onTestFinished(() => server.close())
  const verdict = async (options: object) => {
    const only = (id: string) => id === 'apps.headers.limit'
    const { rules } = await verifyTargets(
      { apps: `${server.url}/v1` },
      { only, key: 'key_team', ...options },
    )
    return rules.map(({ outcome }) => outcome)
  }
  expect(await verdict({})).toEqual(['broken'])
  expect(
    await verdict({ plans: createGreenhouse({ fixtures }).world().records.plans.all() }),
  ).toEqual(['kept'])
})
