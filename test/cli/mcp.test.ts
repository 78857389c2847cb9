import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { nobody, run, start } from '../support/cli.ts'
import { findFreePort } from '../support/free-port.ts'
import { writeFolder } from '../support/folder.ts'
import { lacks } from '../support/lacks.ts'
import { answerUntilEnd } from '../support/listen.ts'
import { connectInside, connectOverHttp, connectOverStdio } from '../support/mcp.ts'
import { startCommand } from '../support/process.ts'

const line = (method: string, params: object = {}, id?: number) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\n'
const client = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}
const status = { name: 'status', arguments: {} }
const auto = { versionNegotiation: { mode: 'auto' } } as const

test.each([
  ['2025-11-25', {}],
  ['2026-07-28', auto],
] as const)(
  'an agent of MCP %s starts a Greenhouse of its own and breaks it',
  async (revision, options) => {
    const { client, use, fail, printed } = await connectOverStdio(
      ['--world', 'bug', '--log', 'json'],
      options,
    )
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    const { plants_url, keys, world } = await use('status')
    expect([plants_url, world]).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/~bug$/),
      'bug',
    ])
    await use('use_scenario', { scenario: 'expired-key' })
    const [key] = Object.keys(keys)
    expect(
      (await fetch(`${plants_url}/plants`, { headers: { authorization: `Bearer ${key}` } })).status,
    ).toBe(401)
    expect(await use('requests')).toMatchObject({
      data: [{ status: 401, reason: expect.stringMatching(/expired at/) }],
    })
    expect(await fail('use_scenario', { scenario: 'slw' })).toMatch(/Did you mean "slow"\?$/)
    // Over HTTP the body is refused already.
    const name: unknown = JSON.parse('['.repeat(200) + ']'.repeat(200))
    expect(await fail('change_records', { collection: 'plants', create: { id: 5, name } })).toBe(
      'create: nested deeper than 100 levels',
    )
    await client.close()
    expect(printed()).toMatch(
      /^greenhouse-mock mcp: serving at http:\/\/127\.0\.0\.1:\d+, and waits .*\n\{.*"event":"request".*\}\n$/,
    )
    await expect(fetch(plants_url)).rejects.toThrow()
  },
)

test('--server controls a running server, over stdio as over HTTP', async () => {
  const greenhouse = createGreenhouse({ frozen: true })
  await using server = await serve(greenhouse, { token: 'secret' })
  greenhouse.world().records.plants.create({ id: 77, name: 'Fern', account: 'acct_pro' })
  const { use } = await connectInside(['--server', server.url, '--token', 'secret'])
  const other = await connectOverHttp(server.url, 'secret')
  for (const [tool, given] of [
    ['status', {}],
    ['use_scenario', { scenario: 'slow' }],
    ['records', { collection: 'plants', id: 77 }],
    ['records', { collection: 'keys' }],
    ['requests', {}],
    ['clock', {}],
  ] as const)
    expect(await use(tool, given), tool).toEqual(await other.use(tool, given))
  expect(greenhouse.world().scenarios).toEqual(['slow'])
})

test.each<[title: string, url: string, args: string[], sentence: RegExp]>([
  [
    'no server',
    nobody,
    [],
    /^Failed to reach a Greenhouse at http:\/\/127\.0\.0\.1:4: ECONNREFUSED\. Start one with/,
  ],
  [
    'a wrong token',
    '',
    ['--token', 'wrong'],
    /^The token is missing or wrong: give it with --token or GREENHOUSE_TOKEN\.$/,
  ],
])(
  '%s is an error of each tool, because a server may start later',
  async (_title, url, args, sentence) => {
    await using server = await serve(createGreenhouse(), { token: 'secret' })
    const { fail } = await connectInside(['--server', url || server.url, ...args])
    expect(await fail('status')).toMatch(sentence)
  },
)

test('a server that restarts is found again by the next call', async () => {
  const port = await findFreePort()
  const first = await serve(createGreenhouse(), { port })
  const { use, fail } = await connectInside(['--server', first.url])
  await use('use_scenario', { scenario: 'slow' })
  await first.close()
  expect(await fail('status')).toMatch(/^Failed to reach a Greenhouse at .*: ECONNREFUSED/)
  await using _second = await serve(createGreenhouse(), { port })
  expect(await use('status')).toMatchObject({ plants_url: first.url, scenarios: [] })
})

test.each<[tool: string, given: Record<string, unknown>, words: string[]]>([
  ['use_scenario', { scenario: 'expird-key' }, ['scenario', 'use', 'expird-key']],
  ['use_scenario', { scenario: 'slow:msec=5' }, ['scenario', 'use', 'slow:msec=5']],
  ['clear_scenarios', { scenario: 'slwo' }, ['scenario', 'clear', 'slwo']],
  ['records', { collection: 'plant' }, ['records', 'list', 'plant']],
  ['clock', { now: 'soon' }, ['clock', 'set', 'soon']],
])('%s says of %j what the command says', async (tool, given, words) => {
  await using server = await serve(createGreenhouse())
  const said = await (await connectOverHttp(server.url)).fail(tool, given)
  const { code, stderr } = await run([...words, '--server', server.url])
  expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(said)])
})

test('output of user code goes to stderr: stdout has messages only', async () => {
  await using other = await serve(createGreenhouse())
  const folder = writeFolder({
    'greenhouse.config.mjs': `console.log('from the configuration'); export default { log: 'json', port: ${other.port} }`,
    'handlers.mjs': `
      import { log } from 'node:console'
      console.log('from a handler'); console.table([1]); log('from a library'); process.stdout.write('from a stream\\n')
      setInterval(() => process.stdout.write('from a timer\\n'), 1).unref()
      export const handlers = []`,
  })
  const args = [
    'mcp',
    '--config',
    `${folder}/greenhouse.config.mjs`,
    '--handlers',
    `${folder}/handlers.mjs`,
  ]
  const { child, ended } = startCommand(args, { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin!.write(line('initialize', client, 1))
  child.stdin!.write(line('notifications/initialized'))
  child.stdin!.end(line('tools/call', status, 2))
  const { code, stdout, stderr } = await ended
  expect(code).toBe(0)
  const messages = stdout
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text))
  expect(messages.map(({ id }) => id)).toEqual([1, 2])
  expect(messages[1].result.structuredContent).toHaveProperty('plants_url')
  expect(stderr).toContain('from the configuration')
  for (const printed of ['a handler', 'a library', 'a stream'])
    expect(stderr).toContain(`from ${printed}`)
})

test.skipIf(lacks.signals)('SIGTERM ends it with exit code 0 while stdin is open', async () => {
  const { child, output, ended } = startCommand(['mcp'], { stdio: ['pipe', 'pipe', 'pipe'] })
  await expect.poll(() => output.stderr).toMatch(/waits/)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, signal: null, stdout: '' })
})

test.each(['SIGINT', 'SIGHUP'] as const)('%s ends it as SIGTERM does', async (signal) => {
  const { kill, ended, untilPrinted } = start(['mcp'], { stdin: new PassThrough() })
  await untilPrinted(/waits/, 'stderr')
  kill(signal)
  expect(await ended).toMatchObject({ code: 0, stdout: '' })
})

test.each<[title: string, text: string, printed: RegExp]>([
  ['the end of stdin', '', /^/],
  ['a message of more than 1 MiB', 'x'.repeat(2 ** 20 + 2), /buffer/i],
  ['a line that is not JSON', '{bad\n', /^/],
  ['JSON of 200,000 levels', '['.repeat(200_000) + '\n', /./],
])('%s ends it, or is reported, and nothing else is on stdout', async (_title, text, printed) => {
  const stdin = Readable.from(text === '' ? [] : [Buffer.from(text)])
  const { code, stdout, stderr } = await run(['mcp'], { stdin })
  expect([code, stdout]).toEqual([0, ''])
  expect(stderr).toMatch(printed)
})

test('a call that is being answered when stdin ends is answered', async () => {
  const slow = await answerUntilEnd(
    (_request, response) => void setTimeout(() => response.writeHead(500).end(), 20),
  )
  const stdin = Readable.from([Buffer.from(line('tools/call', status, 7))])
  const { code, stdout } = await run(['mcp', '--server', slow], { stdin })
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { id: 7, result: { isError: true } }])
  expect(stdout).toContain('but not as Greenhouse does')
})

test('without a stdin it ends by itself', async () => {
  const { code, stderr } = await run(['mcp'])
  expect([code, stderr]).toEqual([0, expect.stringMatching(/serving at/)])
})
