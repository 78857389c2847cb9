import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { version } from '../../package.json'
import { withActions } from '../../src/cli/commands/actions.ts'
import { commands } from '../../src/cli/commands.ts'
import { controlActions } from '../../src/control/actions/index.ts'
import { run } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { answerUntilEnd } from '../support/listen.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { startWithCommands } from './server.ts'

const frozen = ['--now', '2026-03-01T12:00:30Z', '--frozen']

test('clock shows, moves, stops and runs the clock of a world', async () => {
  const { print, printJson } = await startWithCommands(...frozen)
  const clock = (...words: string[]) => print('clock', ...words, '--world', 'checkout')
  expect(await clock('set', '2026-01-31T12:00:00Z')).toBe(
    'now     2026-01-31T12:00:00.000Z\nfrozen  true\n',
  )
  expect(await clock('now')).toBe('now     2026-01-31T12:00:00.000Z\nfrozen  true\n')
  expect(await clock()).toBe(await clock('now'))
  expect(await clock('advance', '2h')).toBe('now     2026-01-31T14:00:00.000Z\nfrozen  true\n')
  expect(await clock('advance', '-1h')).toBe('now     2026-01-31T13:00:00.000Z\nfrozen  true\n')
  expect(await clock('advance', '1h')).toBe('now     2026-01-31T14:00:00.000Z\nfrozen  true\n')
  expect(await clock('unfreeze')).toMatch(/^now +2026-01-31T14:00:\d\d\.\d{3}Z\nfrozen +false\n$/)
  expect(await clock('freeze')).toMatch(/^now +2026-01-31T14:.*Z\nfrozen +true\n$/)
  expect(JSON.parse(await clock('set', '2026-02-01T00:00:00Z', '--json'))).toEqual({
    now: '2026-02-01T00:00:00.000Z',
    frozen: true,
  })
  expect(await printJson('clock')).toEqual({ now: '2026-03-01T12:00:30.000Z', frozen: true })
})

test('a negative number is an argument, before and after flags', async () => {
  const { print, printJson } = await startWithCommands()
  const plant = { id: -12, name: 'Fern', account: 'acct_pro' }
  const fields = ['--id', '-12', '--name', 'Fern', '--account', 'acct_pro']
  expect(await printJson('records', 'create', 'plants', ...fields)).toEqual(plant)
  expect(await printJson('records', 'read', 'plants', '-12')).toEqual(plant)
  expect(await print('records', 'read', '--json', 'plants', '-12')).toContain('-12')
})

test('clock due lists what falls due, and clock next goes there and does it', async () => {
  const { create, print, printJson, read } = await startWithCommands(...frozen)
  await create('/v1/webhooks', { url: 'http://127.0.0.1:4/hook', events: ['app.created'] })
  await create('/v1/apps', { name: 'helper' })
  await print('clock', 'advance', '1ms')
  expect(await print('clock', 'due')).toMatch(
    /^AT +KIND +TITLE +SUBJECT.COLLECTION +SUBJECT.ID\n2026-03-01T12:/,
  )
  const before = await read('/worlds/default/due')
  expect(await printJson('clock', 'due')).toEqual(before)
  const lineCount = async (...words: string[]) =>
    (await print('clock', 'due', ...words)).trimEnd().split('\n').length
  expect(await lineCount()).toBeGreaterThan(3)
  expect(await lineCount('--limit', '2')).toBe(3)
  const [soonest] = before.data
  const next = await print('clock', 'next')
  expect(next.split('\n')[0]).toBe(`clock.now     ${soonest.at}`)
  expect(next).toContain(`${soonest.at}  ${soonest.kind} `)
  expect((await read('/worlds/default/due')).data).not.toContainEqual(soonest)
})

test('reset restarts one world and no other, and with --json gives it', async () => {
  const { call, print, printJson, read } = await startWithCommands()
  const remove = async (world: string) =>
    (await call(`/~${world}/plants/1`, { method: 'DELETE', key: 'key_free' })).status
  for (const world of ['checkout', 'other']) expect(await remove(world)).toBe(204)
  expect(await print('reset', '--world', 'checkout')).toMatch(
    /^name +checkout\n[^]*journal.size +0\n/,
  )
  expect([await remove('checkout'), await remove('other')]).toEqual([204, 404])
  const world = await printJson('reset', '--world', 'other')
  expect(world).toMatchObject({ name: 'other', journal: { size: 0, evicted: 0 } })
  expect({ ...world, clock: undefined }).toEqual({
    ...(await read('/worlds/other')),
    clock: undefined,
  })
})

test('status shows the server, and the clock, scenarios, journal and quotas of one world', async () => {
  const { ready, url, call, print, printJson } = await startWithCommands(...frozen)
  for (let count = 0; count < 3; count++) await call('/~checkout/v1/apps', { key: 'key_free' })
  const inline = { title: 'Apps are down', respond: [{ on: 'apps.*', status: 500 }] }
  await print(
    'scenario',
    'use',
    'slow:ms=5',
    'expired-key:after=1h',
    JSON.stringify(inline),
    '--world',
    'checkout',
  )
  await fetch(`${url}/__greenhouse/worlds/checkout/snapshots/before`, { method: 'PUT' })
  await fetch(`${url}/plants`, { headers: { origin: 'https://shop.example' } })
  const stdout = await print('status', '--world', 'checkout')
  expect(stdout.split('\n').slice(0, 10)).toEqual([
    `Server    ${url}, version ${version}`,
    `Panel     ${ready.panel_url}`,
    'Worlds    2: checkout, default',
    'No world  1 foreign_page',
    '',
    'World      checkout',
    'Clock      2026-03-01T12:00:30.000Z, frozen',
    expect.stringMatching(
      /^Scenarios {2}slow:\S*ms=5\S* expired-key:\S*after=1h\S* inline-apps-are-down$/,
    ),
    'Journal    3 requests',
    'Snapshots  before',
  ])
  expect(stdout).toMatch(/^ACCOUNT +PLAN +MINUTE +DAY\n/m)
  expect(stdout).toMatch(/^acct_free +free +3 of 60 +3 of 1000$/m)
  expect(stdout).not.toMatch(/key_|fp_/)
  expect((await printJson('status', '--world', 'checkout')).active[2]).toEqual(inline)
})

test('status --json has what the control API answers', async () => {
  const { ready, url, call, printJson, read } = await startWithCommands(...frozen)
  await call('/v1/apps')
  expect(await printJson('status')).toEqual({
    server: url,
    version,
    panel_url: ready.panel_url,
    problems: [],
    worlds: (await read('/worlds')).data,
    unrecorded: {},
    world: await read('/worlds/default'),
    active: [],
    quotas: (await read('/worlds/default/quotas')).data,
  })
})

test('with quotas per key, status shows the quota of each and the scenario that applies', async () => {
  const { call, print } = await startWithCommands('--assume', 'rate-limit.scope=key', ...frozen)
  await call('/v1/apps', { key: 'key_readonly' })
  expect(await print('status')).toMatch(/^acct_pro key_readonly +pro +1 of 300 +1 of 25000$/m)
  await print('scenario', 'use', 'rate-limited-plan:plan=free')
  await call('/v1/apps', { key: 'key_free' })
  expect(await print('status')).toMatch(/^acct_free key_free +free .*\(rate-limited-plan\)/m)
})

test('trigger sends an event in a running server and prints which webhooks received it', async () => {
  const receiver = await startReceiver()
  const { create, print, printJson } = await startWithCommands()
  expect(await print('trigger', 'plant.created')).toBe(
    'No enabled webhook subscribes to it. Create one with POST /v1/webhooks.\n',
  )
  expect(await printJson('trigger', 'plant.created')).toEqual({ data: [] })
  expect(
    (await create('/v1/webhooks', { url: receiver.url, events: ['plant.created'] })).status,
  ).toBe(201)
  const data = '{"id":9007199254740993,"name":"Fern"}'
  expect(await print('trigger', 'plant.created', '--data', data)).toMatch(
    new RegExp(`\\ndel_\\w{16} .*succeeded.*${receiver.url}\\n$`),
  )
  expect(receiver.received.map(({ body }) => body)).toEqual([
    expect.stringContaining(`"data":${data}`),
  ])
  expect(await printJson('trigger', 'plant.created')).toMatchObject({
    data: [{ status: 'succeeded', url: receiver.url, attempts: [{ status: 200 }] }],
  })
})

test('a host is asked only where --webhook-allow names it', async () => {
  const receiver = await startReceiver()
  // Systems take it for this machine; for Greenhouse it is a host as any other.
  const url = receiver.url.replace('127.0.0.1', '0.0.0.0')
  const trigger = async (...flags: string[]) => {
    const { call, create, print } = await startWithCommands(...flags)
    const { id } = (await (
      await create('/v1/webhooks', { url, events: ['plant.created'] })
    ).json()) as { id: string }
    await print('trigger', 'plant.created')
    const { data } = (await (await call(`/v1/webhooks/${id}/deliveries`)).json()) as {
      data: { attempts: object[] }[]
    }
    return data[0]!.attempts
  }
  expect(await trigger()).toMatchObject([
    { status: null, error: expect.stringMatching(/^Blocked: .*--webhook-allow 0\.0\.0\.0/) },
  ])
  expect(receiver.received).toHaveLength(0)
  expect(await trigger('--webhook-allow', '0.0.0.0')).toMatchObject([{ status: 200, error: null }])
  expect(receiver.received).toHaveLength(1)
})

function startWithPlants() {
  const folder = writeFolder({
    'accounts.yaml': `accounts: [{ id: acct, name: A, email: a@example.com, plan: lite }]
keys: [{ secret: key_own, account: acct }, { secret: sk_live_0123456789abcdef, account: acct }]
plants:
  - { id: 1, name: Fern, tag: tree, account: acct }
  - { id: 9007199254740993, name: Ficus, tag: tree, account: acct }
  - { id: 3, name: Aloe, account: acct }
`,
  })
  return startWithCommands('--fixtures', folder)
}

test('records alone counts the records of each collection', async () => {
  const { print, printJson, read } = await startWithPlants()
  const stdout = await print('records')
  expect(stdout).toMatch(/^NAME +SIZE\n/)
  expect(stdout).toMatch(/^plants +3$/m)
  expect(await printJson('records')).toEqual(await read('/worlds/default/records'))
})

test('records list COLLECTION lists the records, filtered, sorted and limited', async () => {
  const { command, print, call } = await startWithPlants()
  const plants = (...words: string[]) => print('records', 'list', 'plants', ...words)
  const rows = async (...words: string[]) =>
    (await plants(...words)).split('\n').map((line) => line.trim().split(/ {2,}/))
  expect((await rows()).slice(0, 4).map((row) => row.slice(0, 2))).toEqual([
    ['ID', 'NAME'],
    ['1', 'Fern'],
    ['9007199254740993', 'Ficus'],
    ['3', 'Aloe'],
  ])
  const sorted = (await rows('--where.tag', 'tree', '--sort=-name')).slice(1, 3)
  expect(sorted.map(([, name]) => name)).toEqual(['Ficus', 'Fern'])
  expect(await plants('--limit', '1')).toMatch(/\n\n1 of 3 in all\.\n$/)
  expect((await command('records', 'list', 'plants', '--where.name=Moss')).stdout).toBe(
    'There is no such record.\n',
  )
  expect(await plants('--json')).toBe(
    (await (await call('/__greenhouse/worlds/default/records/plants')).text()) + '\n',
  )
})

test('records read COLLECTION ID shows one, its numbers exact', async () => {
  const { print } = await startWithPlants()
  expect(await print('records', 'read', 'plants', '9007199254740993')).toMatch(
    /^id +9007199254740993\nname +Ficus\n/,
  )
  expect(await print('records', 'read', 'plants', '9007199254740993', '--json')).toContain(
    '"id":9007199254740993',
  )
})

test('keys are shown as fingerprints', async () => {
  const { print } = await startWithPlants()
  for (const json of [[], ['--json']]) {
    const stdout = await print('records', 'list', 'keys', ...json)
    expect(stdout).toMatch(/fp_[0-9a-f]{12}/)
    expect(stdout).not.toMatch(/key_own|sk_live/)
  }
})

test('a table has the columns that a terminal has room for, and all of them elsewhere', async () => {
  const { url } = await startWithCommands()
  const words = ['records', 'list', 'apps', '--limit', '2', '--server', url]
  const [table, rest] = (await run(words, { isTTY: true, columns: 40 })).stdout.split('\n\n')
  expect(Math.max(...table!.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40)
  expect(rest).toMatch(/Fields not shown: .*\. --json shows them\.\n/)
  expect((await run(words, { columns: 40 })).stdout).not.toContain('Fields not shown')
})

test('records are created, changed and deleted with their fields as flags', async () => {
  const { command, print, printJson, read } = await startWithPlants()
  const made = await printJson(
    'records',
    'create',
    'plants',
    '--id',
    '77',
    '--name',
    '"12"',
    '--account=acct',
  )
  expect(made).toEqual({ id: 77, name: '12', account: 'acct' })
  await print('records', 'change', 'plants', '77', '--tag', 'fern')
  expect((await read('/worlds/default/records/plants/77')).tag).toBe('fern')
  await print('records', 'change', 'plants', '77', '--tag', 'null', '--input', '{"name": "Ficus"}')
  expect(await read('/worlds/default/records/plants/77')).toEqual({
    id: 77,
    name: 'Ficus',
    account: 'acct',
  })
  // A flag does not change another record than the one that is named.
  const { code, stderr } = await command(
    'records',
    'change',
    'plants',
    '77',
    '--id',
    '7',
    '--tag',
    'x',
  )
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('--id: the command line has it already, without the flag.'),
  ])
  expect(await print('records', 'delete', 'plants', '77')).toBe('Done.\n')
  expect((await command('records', 'read', 'plants', '77')).code).toBe(2)
})

test('a whole input comes from a file', async () => {
  const { print, read } = await startWithPlants()
  const folder = writeFolder({
    'plants.json': '[{"id": 9007199254740995, "name": "Oak", "account": "acct"}]',
  })
  await print('records', 'replace', 'plants', '--input', `@${join(folder, 'plants.json')}`)
  expect(await read('/worlds/default/records/plants')).toMatchObject({
    total: 1,
    data: [{ name: 'Oak' }],
  })
})

test('every mistake in a record names its flag', async () => {
  const { command } = await startWithPlants()
  expect(
    (await command('records', 'create', 'plants', '--id', 'x', '--nam', 'Ficus')).stderr,
  ).toMatch(
    /^--id: expected an integer of 64 bits.*\n--name: is missing: .*\n--account: is missing: .*\n--nam: there is no such field.* Did you mean "name"\?\n/,
  )
})

const all = withActions(commands).flatMap(({ name, subcommands = [], ...command }) => [
  { ...command, path: name },
  ...subcommands.map((one) => ({ ...one, path: `${name} ${one.name}` })),
])

test('no field of an action has the name of a flag of every command', () => {
  const shared = ['server', 'world', 'token', 'json', 'config', 'version', 'help', 'input']
  for (const { id, input } of controlActions.filter(
    ({ commands }) => typeof commands !== 'string',
  )) {
    const { properties = {} } = input
      ? z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
      : {}
    expect(
      Object.keys(properties).filter((field) => shared.includes(field)),
      id,
    ).toEqual([])
  }
})

/** What each command that calls a server is tried with. */
const callingCommands: readonly string[] = [
  'status',
  'log',
  'clock',
  'clock now',
  'clock advance 1s',
  'clock set 2031-05-06T07:00:00Z',
  'clock freeze',
  'clock unfreeze',
  'clock due',
  'clock next',
  'records',
  'records count',
  'records collections',
  'records list plants',
  'records read plants 1',
  'records create plants --id 5005 --name Fern --account acct_pro',
  'records change plants 5005 --tag fern',
  'records delete plants 5005',
  'records replace plants --input []',
  'records export',
  'records export-one apps',
  'trigger plant.created',
  'scenario use slow:ms=1',
  'scenario clear slow',
  'scenario active',
  'case save FILE',
  'journal list',
  'journal read 1',
  'journal replay 1',
  'journal code 1 --as curl',
  'journal archive',
  'journal clear',
  'snapshots save before',
  'snapshots list',
  'snapshots read before',
  'snapshots restore before',
  'snapshots delete before',
  'records change accounts acct_pro --plan free',
  'accounts refill acct_pro',
  'keys create --account acct_pro',
  'records change keys key_pro --revoked true',
  'records delete keys fp_31aa6e33718b',
  'webhooks grade wh_m4t7qzc2xk5wr3nd',
  'webhooks examine wh_m4t7qzc2xk5wr3nd',
  'deliveries list',
  'deliveries read DELIVERY',
  'deliveries repeat DELIVERY',
  'world',
  'world read',
  'world list',
  'world start --frozen --seed 1',
  'world assumptions',
  'world assume --plants.delete.unknown 204',
  'world undo',
  'world delete',
  'reset',
]

test('every command that calls a server prints JSON with --json, on one line', async () => {
  const { call, print, read } = await startWithCommands(...frozen)
  const file = join(writeFolder({}), 'one.case.yaml')
  const [delivery] = (await read('/worlds/default/deliveries')).data
  await call('/plants?limit=1')
  for (const line of callingCommands) {
    const words = line.replace('FILE', file).replace('DELIVERY', delivery.id).split(' ')
    const stdout = await print(...words, '--json')
    expect(stdout, line).toMatch(/^\{[^\n]*\}\n$/)
    expect(JSON.parse(stdout), line).toBeTypeOf('object')
  }
  expect(JSON.parse(await print('case', 'save', file, '--json'))).toEqual({ file, requests: 0 })
})

test('no command that calls a server is without --json', () => {
  const calling = all.filter(
    ({ flags }) => flags['server']?.describe === 'URL of the running server',
  )
  expect(calling.length).toBeGreaterThan(12)
  expect(calling.filter(({ flags }) => !flags['json'])).toEqual([])
  const untried = calling.filter(
    ({ path }) => !callingCommands.some((line) => `${line} `.startsWith(`${path} `)),
  )
  expect(untried.map(({ path }) => path)).toEqual([])
})

test.each([
  [
    '99.1.0',
    `Greenhouse: the server at URL has version 99.1.0, and this client ${version}. Install the same on both sides.\n`,
  ],
  [version.replace(/\.\d+\.\d+.*/, '.999.0'), ''],
])(
  'a server of version %s: a warning on stderr says when it is another major one',
  async (other, warning) => {
    const { url } = await startReceiver(({ path }) => ({
      status: 200,
      body: JSON.stringify(
        path.endsWith('/health') ? { status: 'ok', version: other, worlds: 1 } : { active: [] },
      ),
    }))
    const { origin } = new URL(url)
    expect(await run(['scenario', 'clear', 'slow', '--server', origin])).toEqual({
      code: 0,
      signal: null,
      stdout: 'No scenario is active in the world "default".\n',
      stderr: warning.replace('URL', origin),
    })
  },
)

test.each(['{}', '[]', 'null', '{"data":[]}', '<html>', ''])(
  'every command fails with one message at a server that answers %j to everything',
  async (text) => {
    const server = await answerUntilEnd((_, response) => {
      response.writeHead(text === '' ? 204 : 200, { 'content-type': 'application/json' })
      response.end(text)
    })
    const file = join(writeFolder({}), 'a.case.yaml')
    for (const words of [
      ['status'],
      ['reset'],
      ['clock', 'advance', '1h'],
      ['scenario', 'use', 'slow'],
      ['scenario', 'clear'],
      ['case', 'save', file],
      ['log'],
      ['log', '--follow'],
    ]) {
      const { code, stdout, stderr } = await run([...words, '--server', server])
      const status = text === '' ? 204 : 200
      const message = `Failed to use the server at ${server}: it answered ${status}, but not as Greenhouse does. Name another server with --server or GREENHOUSE_URL.`
      expect([words, code! > 0, stdout, stderr.split('\n')[0]]).toEqual([words, true, '', message])
    }
    expect(existsSync(file)).toBe(false)
  },
)
