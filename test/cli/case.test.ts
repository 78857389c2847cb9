import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGreenhouse, toCaseText } from 'greenhouse-mock'
import { loadCase } from 'greenhouse-mock/node'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { expectWrongUse, runScript, startWithCommands } from './server.ts'

/** Saves a case of a server that limits apps and not plants; returns its path. */
async function save(name = 'limited.case.yaml', ...words: string[]) {
  const file = join(writeFolder({}), name)
  const { call, command, stop } = await startWithCommands(
    '--now',
    '2026-02-28T23:59:00Z',
    '--frozen',
  )
  await call('/plants/1', { method: 'DELETE', key: 'key_free' })
  await command('scenario', 'use', 'rate-limited-plan')
  await call('/v1/apps?limt=1')
  const saved = await command('case', 'save', file, ...words)
  await stop()
  return { file, saved }
}

let limited: string | undefined

/** Returns a copy of that case, in a folder of its own. */
async function copy() {
  limited ??= readFileSync((await save()).file, 'utf8')
  const folder = writeFolder({ 'limited.case.yaml': limited })
  return { file: join(folder, 'limited.case.yaml'), folder }
}

test('case save writes what a running server did, and case replay does it again', async () => {
  const { file, saved } = await save('a.case.yaml', '--title', 'Limited at midnight')
  expect(saved).toMatchObject({ code: 0, stdout: `Saved 2 requests in ${file}.\n`, stderr: '' })
  expect(loadCase(file)).toMatchObject({
    title: 'Limited at midnight',
    exact: true,
    start: { frozen: true },
  })
  expect(await run(['case', 'replay', file])).toMatchObject({
    code: 0,
    stdout: '2 requests: every reply is the same.\n',
  })
  expect(JSON.parse((await run(['case', 'replay', file, '--json'])).stdout)).toEqual({
    requests: 2,
    differences: [],
  })
})

test('a name that ends in .json is written as JSON, and read again', async () => {
  const { file } = await save('a.json', '--until', '1')
  expect(JSON.parse(readFileSync(file, 'utf8')).steps).toHaveLength(1)
  expect(await run(['case', 'replay', file])).toMatchObject({
    code: 0,
    stdout: '1 request: every reply is the same.\n',
  })
})

test('case show lists what happened, with the reason and what was wrong', async () => {
  const { file } = await copy()
  const { stdout } = await run(['case', 'show', file])
  expect(stdout).toContain('It starts at 2026-02-28T23:59:00.000Z.')
  expect(stdout).toMatch(/2026-02-28T23:59:00\.000Z {2}DELETE \/plants\/1 .* 204/)
  expect(stdout).toMatch(/use .*name: rate-limited-plan/)
  expect(stdout).toMatch(
    /GET \/v1\/apps\?limt=1 .* 429 .*minute quota of plan pro spent.*Did you mean "limit"/,
  )
})

test.each(['vitest', 'jest', 'playwright', 'node'])(
  'case test writes a test for %s',
  async (runner) => {
    const { file } = await copy()
    const { code, stdout } = await run(['case', 'test', file, '--runner', runner])
    expect(code).toBe(0)
    expect(stdout).toContain(
      `replayCase(loadCase('${file.replaceAll('\\', '\\\\')}'), { before: 3 })`,
    )
    expect(stdout).toMatch(/(toEqual\(|, )429\)/)
    // Jest runs CommonJS without any configuration.
    expect(/^import /m.test(stdout)).toBe(runner !== 'jest')
    expect(stdout).toContain("'60')")
  },
)

test('case test writes the double of a fraction that no double has, and a field called toJSON', async () => {
  const content = 'body: { weight: 9007199254740991.4, toJSON: a }'
  const text = `case: 1
steps:
  - request: POST /plants
    headers: { content-type: application/json }
    ${content}
    reply: { status: 401, ${content} }
`
  const file = join(writeFolder({ 'a.case.yaml': text }), 'a.case.yaml')
  const { stdout } = await run(['case', 'test', file])
  expect(stdout).toContain("JSON.stringify({ weight: 9007199254740991, toJSON: 'a' })")
  expect(stdout).toContain("toEqual({ weight: 9007199254740991, toJSON: 'a' })")
})

test.each(['test', 'replay'])('a case that is incomplete has no %s', async (word) => {
  const file = join(
    writeFolder({ 'a.case.yaml': 'case: 1\nincomplete: "cleared\\n::error::"\n' }),
    'a.case.yaml',
  )
  await expectWrongUse(['case', word, file], "can't be replayed: cleared\\n::error::.")
})

test('case replay --against names each difference of another server, and what it cannot do there', async () => {
  const { file } = await copy()
  const { url, received } = await startReceiver(({ headers }) => ({
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: `Hello ${headers.authorization}`,
  }))
  const against = new URL(url).origin
  await expectWrongUse(
    ['case', 'replay', file, '--against', against],
    `The case has 1 request that writes, such as DELETE /plants/1. Add --allow-writes if they may change ${against}. Nothing was sent.`,
  )
  const base = `${against}/base`
  for (const path of ['/../../x', '/%2e%2E/x', '/a/..%2f..%5cx', '/..\\x', '/~w/../x']) {
    writeFileSync(
      `${file}.out.yaml`,
      `case: 1\nsteps: [{ request: GET / }, { request: 'GET ${path}' }]\n`,
    )
    const message = `Step 2 of the case, GET ${path}, leads out of ${base}. Nothing was sent.`
    await expectWrongUse(['case', 'replay', `${file}.out.yaml`, '--against', base], message)
  }
  expect(received).toEqual([])
  const words = ['--against', against, '--allow-writes', '--key', 'live']
  const { code, stdout, stderr } = await run(['case', 'replay', file, ...words])
  expect(received.map(({ method, headers }) => [method, headers.authorization])).toEqual([
    ['DELETE', 'Bearer live'],
    ['GET', 'Bearer live'],
  ])
  expect(code).toBe(1)
  expect(stderr).toBe('Left out 1 step that no request makes: clocks, scenarios, records.\n')
  expect(stdout).toContain('Step 1, DELETE /plants/1:\n  status: expected 204, received 200\n')
  expect(stdout).toContain('Step 3, GET /v1/apps?limt=1:\n  status: expected 429, received 200\n')
  expect(stdout).toContain('headers.Retry-After: expected 60, received nothing')
  expect(stdout).not.toContain('live')
})

test('case replay --against finds a secret equal to its fingerprint, and compares each cookie', async () => {
  const headers = {
    'set-cookie': ['session=abcdef; Path=/', 'theme=dark; Path=/'],
    'www-authenticate': 'Bearer error="invalid_token"',
    'content-type': 'application/json',
    'x-api-key': 'sk_live_0123456789',
  }
  const body = '{"token":"abcdefgh","key":"key_pro","name":"Fern"}'
  const { url } = await startReceiver(() => ({ status: 200, headers, body }))
  const against = new URL(url).origin
  const greenhouse = createGreenhouse()
  greenhouse.world().use({ respond: [{ on: 'plants.list', status: 200, headers, text: body }] })
  const ask = new Request('http://x.test/plants', { headers: { authorization: 'Bearer key_pro' } })
  expect(await (await greenhouse.fetch(ask)).text()).toBe(body)
  const text = toCaseText(greenhouse.world().toCase())
  expect(text).toContain('fp_')
  const file = join(writeFolder({ 'a.case.yaml': text }), 'a.case.yaml')
  const words = ['case', 'replay', file, '--against', against, '--key', 'key_pro']
  expect(await run(words)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('every reply is the same'),
  })
  writeFileSync(
    file,
    text.replaceAll(/fp_(.)/g, (_, digit) => `fp_${digit === '0' ? 1 : 0}`),
  )
  expect(await run(words)).toMatchObject({ code: 1 })
})

test("the base URLs of run and serve --case lead to the case's world", async () => {
  const text = 'case: 1\nworld: renewal\nsteps:\n  - use: [server-error]\n'
  const file = join(writeFolder({ 'a.case.yaml': text }), 'a.case.yaml')
  const { ready } = await startServe(['--case', file])
  expect(ready.panel_url).toMatch(/\/__greenhouse\/#\/\?world=renewal$/)
  expect(ready.plants_url).toMatch(/~renewal$/)
  expect(ready.apps_url).toMatch(/~renewal\/v1$/)
  const ask = `const { PLANTS_BASE_URL: url, GREENHOUSE_URL, GREENHOUSE_WORLD } = process.env
    console.log((await fetch(url + '/plants')).status, GREENHOUSE_WORLD, url === GREENHOUSE_URL + '/~renewal')`
  const words = ['run', '--case', file, '--', process.execPath, '--input-type=module', '-e', ask]
  expect(await run(words)).toMatchObject({ code: 0, stdout: '500 renewal true\n' })
})

test('serve --case goes on where the case ends', async () => {
  const { file } = await copy()
  const { call } = await startServe(['--case', file])
  expect((await call('/v1/apps')).status).toBe(429)
  expect(await (await call('/__greenhouse/worlds/default/records/plants/1')).json()).toMatchObject({
    error: { code: 'unknown_record' },
  })
  await expectWrongUse(
    ['serve', '--case', file, '--now', '2026-01-01T00:00:00Z'],
    '--case: the case says how the world starts. Leave out --now.',
  )
  const env = { ...process.env, GREENHOUSE_SCENARIO: 'slow' }
  expect(await run(['serve', '--case', file], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Leave out GREENHOUSE_SCENARIO.'),
  })
})

test('serve --case starts beside a clock that is said not to be frozen', async () => {
  const { file } = await copy()
  const env = { ...process.env, GREENHOUSE_FROZEN: 'false' }
  const { call } = await startServe(['--case', file], { env })
  expect((await call('/v1/apps')).status).toBe(429)
})

test('run --artifacts saves a case of each world with requests, deleted ones too', async () => {
  const folder = join(writeFolder({}), 'cases')
  const ask = `for (const path of ['/plants', '/~checkout/v1/apps', '/~gone/plants']) await fetch(process.env.GREENHOUSE_URL + path)
    await fetch(process.env.GREENHOUSE_URL + '/__greenhouse/worlds/gone', { method: 'DELETE' })`
  const { code, stderr } = await runScript(ask, ['--artifacts', folder])
  expect([code, stderr]).toEqual([0, `Saved 3 cases in ${folder}.\n`])
  for (const world of ['default', 'checkout', 'gone'])
    expect(await run(['case', 'replay', join(folder, `${world}.case.yaml`)])).toMatchObject({
      code: 0,
    })
})

test('case shrink keeps the steps without which the command passes', async () => {
  const { file, folder } = await copy()
  const check =
    "process.exit(/status: 429/.test(fs.readFileSync(process.env.GREENHOUSE_CASE, 'utf8')) ? 1 : 0)"
  const { code, stdout } = await run(['case', 'shrink', file, '--', process.execPath, '-e', check])
  const small = join(folder, 'limited.small.case.yaml')
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^3 steps before, 2 steps now, after \d+ runs\. Written to .*limited\.small\.case\.yaml\.\n$/,
    ),
  ])
  expect(loadCase(small).steps!.map(({ request, use }) => request ?? use)).toEqual([
    [expect.objectContaining({ name: 'rate-limited-plan' })],
    'GET /v1/apps?limt=1',
  ])
})

test('case shrink rejects a command that passes', async () => {
  const { file, folder } = await copy()
  const words = ['case', 'shrink', file, '--', process.execPath, '-e', '0']
  await expectWrongUse(words, 'The command passes with the whole case')
  expect(existsSync(join(folder, 'limited.small.case.yaml'))).toBe(false)
})
