import { expect, test } from 'vitest'
import { createGreenhouse, malformations } from 'greenhouse-mock'
import { nobody, run } from '../support/cli.ts'
import { print, startWithCommands } from './server.ts'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { version } from '../../package.json'
import { writeFolder } from '../support/folder.ts'
import { startCommand } from '../support/process.ts'

test('scenario list --search lists what it finds, the nearest first', async () => {
  expect((await print('scenario', 'list', '--search', '429 day')).split('\n')[1]).toMatch(
    /^rate-limited-day /,
  )
})

test('scenario list --search says plainly that nothing was found, and what was probably meant', async () => {
  expect(await print('scenario', 'list', '--search', 'retyr')).toMatch(
    /^No scenario has "retyr"\. Did you mean "retry"\? "greenhouse-mock scenario list" shows all \d+\.\n$/,
  )
  expect(await print('scenario', 'list', '--search', '?')).toBe(await print('scenario', 'list'))
  expect(await print('scenario', 'list', '--search', 'drip 429')).toMatch(
    /^No scenario has "drip 429"\. "greenhouse-mock scenario list"/,
  )
})

test('scenario list --malformations lists the malformations of every operation and their total', async () => {
  const [table = '', total] = (await print('scenario', 'list', '--malformations'))
    .trimEnd()
    .split('\n\n')
  const all = malformations()
  const rows = table.split('\n').slice(1)
  expect(rows.map((line) => line.split(/ +/))).toEqual(
    all.map(({ options: { on, at, kind }, breaks }) => [
      on,
      at === '' ? '""' : at,
      kind,
      breaks ? 'yes' : 'no',
    ]),
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
  expect(await server.print('scenario', 'clear')).toBe(
    'No scenario is active in the world "default".\n',
  )
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
  expect(await activate('use', '--only', 'rate-limited-plan', 'expired-key')).toBe(
    'rate-limited-plan,expired-key',
  )
  expect(await activate('clear', 'rate-limited-plan,expired-key')).toBe('')
})

test('inline scenarios are YAML or JSON', async () => {
  const server = await startWithCommands()
  const inline = [
    '{respond: [{status: 401, where: {account: acct_pro}, times: 3}]}',
    '{"name": "slow", "ms": 1}',
  ]
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
  [['clock'], /^now +2031-05-06T07:00:00\.000Z$/m],
  [['records'], /^plants +\d+$/m],
  [['trigger', 'plant.created'], /^No enabled webhook/],
  [['scenario', 'clear'], /"checkout"/],
  [['reset'], /^name +checkout$/m],
]

test('commands that call a server take GREENHOUSE_URL, _TOKEN and _WORLD; flags win over them', async () => {
  const { url, call } = await startWithCommands(
    '--token',
    'secret',
    '--frozen',
    '--now',
    '2031-05-06T07:00:00Z',
  )
  await call('/~checkout/plants')
  const own = { GREENHOUSE_URL: url, GREENHOUSE_TOKEN: 'secret', GREENHOUSE_WORLD: 'checkout' }
  const env = { ...process.env, ...own }
  const flags = ['--server', url, '--token', 'secret', '--world', 'checkout']
  const wrong = {
    ...env,
    GREENHOUSE_URL: nobody,
    GREENHOUSE_TOKEN: 'wrong',
    GREENHOUSE_WORLD: 'other',
  }
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

const greenhouse = createGreenhouse()

test('routes lists every operation with its method and path', async () => {
  const [, ...rows] = (await print('routes')).trimEnd().split('\n')
  expect(rows.map((line) => line.split(/ {2,}/))).toEqual(
    greenhouse
      .operations()
      .map(({ method, path, id, scope, source }) => [method, path, id, scope, source]),
  )
})

test('assumptions lists every assumption with its default and its alternatives', async () => {
  const blocks = (await print('assumptions')).split('\n\n')
  for (const { id, values } of greenhouse.assumptions()) {
    const block = blocks.find((text) => text.startsWith(`${id}\n`))!
    expect(block).toContain(`${values[0]} (default`)
    for (const value of values.slice(1)) expect(block).toContain(value)
  }
})

test('scenario list lists every scenario, of a folder too', async () => {
  const folder = writeFolder({
    'own.yaml': 'title: Own situation\ndescription: D\ncovers: C\nassume: {}\n',
  })
  const stdout = await print('scenario', 'list', '--scenarios', folder)
  const [, ...rows] = stdout.trimEnd().split('\n')
  expect(rows.map((line) => line.split(' ')[0])).toEqual(
    [...greenhouse.scenarios().map(({ name }) => name), 'own'].sort(),
  )
  expect(stdout).toMatch(/^own +Own situation/m)
})

test('--version prints the version of the package', async () => {
  expect(await print('--version')).toBe(`${version}\n`)
})

test('--help lists the commands, and after a command its flags', async () => {
  const all = await print('--help')
  for (const command of ['serve', 'run', 'check', 'scenario', 'assumptions', 'routes'])
    expect(all).toContain(`greenhouse-mock ${command}`)
  const help = await print('serve', '--help')
  const flags = 'port host fixtures scenarios scenario assume seed now cors body-limit token log'
  for (const flag of flags.split(' ')) expect(help).toContain(`--${flag} `)
})

test("--json prints the control API's lists, each on one line", async () => {
  const { read, printJson } = await startWithCommands()
  const readJson = async (...words: string[]) => {
    const stdout = await print(...words, '--json')
    expect(stdout, words.join(' ')).toMatch(/^[^\n]+\n$/)
    return JSON.parse(stdout)
  }
  const scenarios = await read('/scenarios')
  expect(await readJson('scenario', 'list')).toEqual(scenarios)
  expect(await readJson('scenario', 'list', '--search', '429 retry')).toEqual(
    await read('/scenarios?search=429%20retry'),
  )
  expect(await readJson('scenario', 'list', '--search', 'nothing-has-this')).toEqual({ data: [] })
  expect(await readJson('scenario', 'show', 'slow')).toEqual(
    scenarios.data.find((known: { name: string }) => known.name === 'slow'),
  )
  expect(await readJson('assumptions')).toEqual(await read('/assumptions'))
  expect(await readJson('routes')).toEqual(await read('/operations'))
  const { data } = await readJson('scenario', 'list', '--malformations')
  expect(data[0]).toMatchObject({
    options: { on: expect.any(String) },
    breaks: expect.any(Boolean),
  })

  const used = await printJson('scenario', 'use', 'slow:ms=5', 'expired-key')
  expect(used).toEqual(await read('/worlds/default/scenarios'))
  expect(used.active.map(({ name }: { name: string }) => name)).toEqual(['slow', 'expired-key'])
  expect(await printJson('scenario', 'clear')).toEqual({ active: [] })
})

const accounts = 'accounts:\n  - { id: acct, name: A, email: a@example.com, plan: pro }\n'
const scenario = 'title: T\ndescription: D\ncovers: C\nassume: { plants.delete.unknown: 204 }\n'

test('check passes the folders that come along', async () => {
  expect(await print('check', 'fixtures', 'scenarios')).toBe('fixtures, scenarios: no problems.\n')
  expect(await print('check', 'fixtures', '--json')).toBe('{"data":[]}\n')
})

test('without folders check reads fixtures and scenarios of where it runs', async () => {
  const cwd = writeFolder({ 'fixtures/accounts.yaml': accounts, 'scenarios/own.yaml': scenario })
  expect(await startCommand(['check'], { cwd }).ended).toMatchObject({
    code: 0,
    stdout: 'fixtures, scenarios: no problems.\n',
  })
  expect(
    await startCommand(['check'], { cwd: writeFolder({ 'notes.txt': '' }) }).ended,
  ).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('name the folders to check'),
  })
})

test('every problem of every folder is printed with file, line and column, and the code is 1', async () => {
  const folder = writeFolder({
    'fixtures/accounts.yaml': accounts,
    'fixtures/plants.yaml':
      'plants:\n  - { id: x, name: A, account: acct }\n  - { id: 1, name: A, account: nobody }\n',
    'scenarios/broken.yaml': 'title: [\n',
    'scenarios/own.yaml': scenario + 'respnd: []\n',
  })
  const plants = join(folder, 'fixtures', 'plants.yaml')
  const { code, stdout, stderr } = await run(['check', folder])
  expect([code, stderr]).toEqual([1, ''])
  expect(stdout.trimEnd().split('\n')).toEqual([
    `${plants}:2:7: plants.0.id: expected an integer of 64 bits, received "x"`,
    `${plants}:3:23: plants.1.account: there is no account "nobody"`,
    expect.stringContaining(`${join(folder, 'scenarios', 'broken.yaml')}:2:1: `),
    expect.stringContaining(
      `${join(folder, 'scenarios', 'own.yaml')}:5:1: respnd: there is no such field`,
    ),
  ])
  const json = await run(['check', folder, '--json'])
  expect([json.code, json.stderr]).toEqual([1, ''])
  expect(JSON.parse(json.stdout).data).toContainEqual({
    file: plants,
    line: 3,
    column: 23,
    message: 'plants.1.account: there is no account "nobody"',
  })
  const served = await run(['serve', '--port', '0', '--fixtures', join(folder, 'fixtures')])
  expect([served.code, served.stdout]).toEqual([2, ''])
  expect(served.stderr).toContain(`${plants}:3:23: plants.1.account: there is no account "nobody"`)
  expect(served.stderr).not.toMatch(/^ +at /m)
})

test('a folder of scenarios is known by its files, whatever its name', async () => {
  expect(await run(['check', writeFolder({ 'own.yaml': scenario })])).toMatchObject({ code: 0 })
  expect(
    await run(['check', writeFolder({ 'own.yaml': scenario + 'colour: red\n' })]),
  ).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(':5:1: colour: there is no such field'),
  })
})

test('types prints the names and options of own scenarios as a declaration, and no bundled one', async () => {
  const folder = writeFolder({
    'down.yaml':
      'title: Down\ndescription: Closed.\ncovers: Pages.\nrespond:\n  - { on: "plants.*", status: 503 }\n',
    'late.yaml': `title: Late
description: Late, often.
covers: Spinners.
options:
  wait: { description: How long., type: duration, default: 800ms }
  tone: { description: How it is said., values: [plain, "it's rude"], default: plain }
  many: { description: How many., type: integer, default: 3 }
  on: { description: Where., default: '*' }
fault:
  - { on: '\${on}', kind: delay, fixed: '\${wait}' }
respond:
  - { on: '\${on}', status: 503, times: '\${many}', headers: { x-tone: '\${tone}' } }
`,
  })
  expect(await print('types', folder)).toBe(`// Written by: greenhouse-mock types ${folder}
import type { OperationPattern } from 'greenhouse-mock'

declare module 'greenhouse-mock' {
  interface Scenarios {
    readonly 'down': {}
    readonly 'late': { 'wait'?: string | number; 'tone'?: 'plain' | 'it\\'s rude'; 'many'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  }
}
`)
})

test('types includes the operations, assumptions, plans and scenarios of a configuration', async () => {
  const folder = writeFolder({
    'greenhouse.config.mjs': `import { defineOperation, definePlugin } from ${JSON.stringify(pathToFileURL('dist/config.js').href)}
const assumptions = { 'plants.thirst': { question: 'How thirsty?', values: ['a little', 'very'] } }
const operation = { id: 'plants.water', method: 'POST', path: '/plants/{id}/water', handle: () => undefined }
export default {
  operations: [defineOperation(operation)],
  plugins: [definePlugin({ name: 'shop', assumptions })],
  plans: [{ id: 'team', minute: 5 }],
  scenarios: './dry',
}`,
    'dry/dry.yaml':
      'title: Dry\ndescription: Dry.\ncovers: Retries.\nrespond: [{ on: plants.water, status: 503 }]\n',
  })
  const { stdout, stderr } = await run(['types'], {
    env: { GREENHOUSE_CONFIG: `${folder}/greenhouse.config.mjs` },
  })
  expect(stderr).toBe('')
  expect(stdout).toContain(`
  interface Scenarios {
    readonly 'dry': {}
  }
  interface OwnOperations {
    'plants.water': true
  }
  interface OwnAssumptions {
    'plants.thirst': 'a little' | 'very'
  }
  interface OwnPlans {
    'team': true
  }
}`)
})
