import yargs from 'yargs'
import { expect, test } from 'vitest'
import { serveCommandFlags as flags } from '../../src/cli/commands/serve.ts'
import { readPlainFlags } from '../../src/cli/flags/plain-flags.ts'
import { describeMisspelt } from '../../src/cli/flags/flags.ts'
import { withFlags } from '../../src/cli/command.ts'
import { run, startServe } from '../support/cli.ts'

/** Flags as people write them, and the variable that says the same. */
const pairs: readonly (readonly [words: readonly string[], variable: string, text: string])[] = [
  [['--fixtures', './folder'], 'GREENHOUSE_FIXTURES', './folder'],
  [['--case', './a.case.yaml'], 'GREENHOUSE_CASE', './a.case.yaml'],
  [['--state', './state.yaml'], 'GREENHOUSE_STATE', './state.yaml'],
  [['--scenarios', './folder'], 'GREENHOUSE_SCENARIOS', './folder'],
  [['--scenario', 'slow:ms=5', '--scenario', 'expired-key'], 'GREENHOUSE_SCENARIO', 'slow:ms=5, expired-key'],
  [
    ['--assume', 'plants.delete.unknown=204', '--assume', 'http.head=as-get'],
    'GREENHOUSE_ASSUME',
    'plants.delete.unknown=204,http.head=as-get',
  ],
  [['--assume-file', './assumptions.yaml'], 'GREENHOUSE_ASSUME_FILE', './assumptions.yaml'],
  [['--seed', '7'], 'GREENHOUSE_SEED', '7'],
  [['--now', '2026-01-31'], 'GREENHOUSE_NOW', '2026-01-31'],
  [['--frozen'], 'GREENHOUSE_FROZEN', 'true'],
  [
    ['--cors', 'https://a.example', '--cors', 'https://b.example'],
    'GREENHOUSE_CORS',
    'https://a.example,https://b.example',
  ],
  [['--webhook-allow', 'hooks.example.com'], 'GREENHOUSE_WEBHOOK_ALLOW', 'hooks.example.com'],
  [['--no-trace'], 'GREENHOUSE_TRACE', 'off'],
  [['--strict'], 'GREENHOUSE_STRICT', '1'],
  [['--journal-memory', '64MiB'], 'GREENHOUSE_JOURNAL_MEMORY', '64MiB'],
  [['--data-memory', '1'], 'GREENHOUSE_DATA_MEMORY', '1'],
  [['--body-limit', '500 kB'], 'GREENHOUSE_BODY_LIMIT', '500 kB'],
  [['--port', '0'], 'GREENHOUSE_PORT', '0'],
  [['--host', '::1'], 'GREENHOUSE_HOST', '::1'],
  [['--allow-host', 'a', '--allow-host', '.b.example'], 'GREENHOUSE_ALLOW_HOST', 'a, .b.example'],
  [['--control-origin', 'http://localhost:5173'], 'GREENHOUSE_CONTROL_ORIGIN', 'http://localhost:5173'],
  [['--token', 's3cret'], 'GREENHOUSE_TOKEN', 's3cret'],
  [['--handlers', './handlers.mjs'], 'GREENHOUSE_HANDLERS', './handlers.mjs'],
  [['--watch'], 'GREENHOUSE_WATCH', 'yes'],
  [['--log', 'silent'], 'GREENHOUSE_LOG', 'silent'],
  [['--open'], 'GREENHOUSE_OPEN', 'on'],
]

const names = Object.keys(flags).map((name) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()))

function readWithYargs(words: readonly string[], env: NodeJS.ProcessEnv): Record<string, unknown> {
  const parser = withFlags(yargs([...words]), flags, { env }).exitProcess(false)
  const full = parser
    .fail((message, error) => {
      throw error ?? new Error(message)
    })
    .parseSync() as Record<string, unknown>
  return Object.fromEntries(names.map((name) => [name, full[name]]))
}

test('each flag of serve has a variable that says the same, with yargs and without', () => {
  expect(new Set(pairs.map(([[word]]) => word!.replace(/^--(no-)?/, '')))).toEqual(new Set(Object.keys(flags)))
  for (const [words, variable, text] of pairs) {
    const expected = readPlainFlags(words, flags, {})
    expect(expected, variable).toBeDefined()
    expect(expected, variable).not.toEqual(readPlainFlags([], flags, {}))
    const env = { [variable]: text }
    expect(readPlainFlags([], flags, env), variable).toEqual(expected)
    expect(readWithYargs([], env), variable).toEqual(expected)
  }
})

test('a flag wins over its variable, a list as a whole', () => {
  const env = {
    GREENHOUSE_PORT: 'none',
    GREENHOUSE_STRICT: 'maybe',
    GREENHOUSE_CORS: '*',
    GREENHOUSE_TRACE: 'false',
  }
  const words = ['--port', '7', '--no-strict', '--cors', 'https://a.example', '--trace']
  const expected = { port: 7, strict: false, cors: ['https://a.example'], trace: true }
  expect(readPlainFlags(words, flags, env)).toMatchObject(expected)
  expect(readWithYargs(words, env)).toMatchObject(expected)
})

test('empty variables are ignored, as are those Kubernetes sets for a service named greenhouse', () => {
  const usual = readPlainFlags([], flags, {})
  const empty = Object.fromEntries(pairs.map(([, variable]) => [variable, '']))
  const env = { ...empty, GREENHOUSE_PORT: 'tcp://10.96.0.7:4010' }
  expect(readPlainFlags([], flags, env)).toEqual(usual)
  expect(readWithYargs([], env)).toEqual(usual)
})

test('a misspelt variable is reported, and other variables with the prefix are not', async () => {
  const told = (...names: string[]) => describeMisspelt(names, flags)
  expect(told('GREENHOUSE_TOKN')).toBe(
    'GREENHOUSE_TOKN: Greenhouse has no such variable. Did you mean "GREENHOUSE_TOKEN"?\n',
  )
  for (const [wrong, right] of [
    ['ALLOWED_HOST', 'ALLOW_HOST'],
    ['SCENARIOES', 'SCENARIOS'],
    ['NO_TRACE', 'TRACE'],
    ['SERVER', 'URL'],
    ['WORLDS', 'WORLD'],
    ['JOURNAL', 'JOURNAL_MEMORY'],
  ] as const)
    expect(told(`GREENHOUSE_${wrong}`), wrong).toContain(`Did you mean "GREENHOUSE_${right}"?`)
  const ours = pairs.map(([, variable]) => variable)
  const set = ['URL', 'WORLD', 'VERIFY_KEY', 'KEY_FREE', 'KEY_LITE', 'KEY_PRO', 'KEY_PRO_PLUS', 'SOAK']
  const service = ['SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_PORT_HTTP', 'PORT_4010_TCP', 'PORT_4010_TCP_ADDR']
  const foreign = ['API_KEY', 'API_TOKEN', 'HARVEST_KEY', 'BOARD', 'ENV']
  expect(told(...ours, ...[...set, ...service, ...foreign].map((name) => `GREENHOUSE_${name}`), 'TOKN')).toBe('')

  const { code, stderr } = await run(['routes'], { env: { ...process.env, GREENHOUSE_PROT: '1' } })
  expect([code, stderr]).toEqual([
    0,
    'GREENHOUSE_PROT: Greenhouse has no such variable. Did you mean "GREENHOUSE_PORT"?\n',
  ])
})

test('serve takes what variables say', async () => {
  const env = {
    ...process.env,
    GREENHOUSE_SCENARIO: 'expired-key',
    GREENHOUSE_TOKEN: 's3cret',
    GREENHOUSE_HOST: '0.0.0.0',
    GREENHOUSE_ALLOW_HOST: 'greenhouse',
  }
  const { ready, stop } = await startServe([], { env })
  expect(ready.plants_url).toMatch(/^http:\/\/0\.0\.0\.0:/)
  expect(ready.scenarios).toEqual(['expired-key'])
  const { port } = new URL(ready.plants_url)
  const worlds = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/__greenhouse/worlds`, { headers }).then(({ status }) => status)
  expect([await worlds({}), await worlds({ authorization: 'Bearer s3cret' })]).toEqual([403, 200])
  expect((await stop()).code).toBe(0)
})

test('an invalid value of a variable is reported with its name, and a secret is not repeated', async () => {
  for (const [variable, text, message] of [
    [
      'GREENHOUSE_PORT',
      '70000',
      'GREENHOUSE_PORT=70000: expected a whole number from 0 to 65535, such as GREENHOUSE_PORT=4010.',
    ],
    ['GREENHOUSE_FROZEN', 'maybe', 'GREENHOUSE_FROZEN=maybe: expected true or false, such as GREENHOUSE_FROZEN=true.'],
    ['GREENHOUSE_CORS', 'https://a.example,b', 'GREENHOUSE_CORS=b: expected an origin'],
    ['GREENHOUSE_TOKEN', 'two words', 'GREENHOUSE_TOKEN: expected visible ASCII characters'],
    [
      'GREENHOUSE_HOST',
      '0.0.0.0',
      '--host 0.0.0.0 lets other machines reach this server, its control API included. Set a secret with --token or GREENHOUSE_TOKEN',
    ],
  ] as const)
    for (const words of [
      ['serve'],
      ...(variable === 'GREENHOUSE_TOKEN'
        ? [
            ['run', '--', 'true'],
            ['flip', '--', 'true'],
          ]
        : []),
    ]) {
      const { code, stdout, stderr } = await run(words, { env: { ...process.env, [variable]: text } })
      expect([code, stdout, stderr], words.join(' ')).toEqual([2, '', expect.stringContaining(message)])
      expect(stderr).not.toContain('two words')
    }
})

test('commands that call a server find the one that was started with the same variables', async () => {
  const { ready, stop } = await startServe()
  const { port } = new URL(ready.plants_url)
  const env = { ...process.env, GREENHOUSE_URL: '', GREENHOUSE_PORT: port }
  for (const host of ['', '0.0.0.0', 'localhost', '127.0.0.1'])
    expect(await run(['status'], { env: { ...env, GREENHOUSE_HOST: host } }), host).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`:${port}, version`),
    })
  const elsewhere = await run(['status'], { env: { ...env, GREENHOUSE_HOST: '::' } })
  expect(elsewhere.stderr).toContain(`http://[::1]:${port}`)
  await stop()
})

test('commands within run find its server, and a nested run gets another port', async () => {
  const own = `${process.execPath} dist/greenhouse.cjs`
  const words = [
    'run',
    '--',
    `${own} status && ${own} openapi | grep '"url"' && ${own} run -- 'echo $GREENHOUSE_URL $GREENHOUSE_TOKEN'`,
  ]
  const taken = await startServe()
  const { port } = new URL(taken.ready.plants_url)
  await taken.stop()
  const env = { ...process.env, GREENHOUSE_PORT: port, GREENHOUSE_TOKEN: 's3cret', GREENHOUSE_WORLD: 'default' }
  const { code, stdout, stderr } = await run(words, { env })
  expect([code, stderr]).toEqual([0, ''])
  const lines = stdout.split('\n').filter((line) => line !== '')
  expect(lines[0]).toContain(`http://127.0.0.1:${port}, version`)
  expect(stdout).toContain(`"url": "http://127.0.0.1:${port}"`)
  expect(lines.at(-1)).toMatch(/^http:\/\/127\.0\.0\.1:\d+ s3cret$/)
  expect(lines.at(-1)).not.toContain(`:${port} `)
})

test('the help of a command that serves states the rule for variables', async () => {
  for (const name of ['serve', 'run', 'flip'])
    expect((await run([name, '--help'])).stdout.replace(/\s+/g, ' ')).toContain(
      'Each flag of serve has a variable: --allow-host is GREENHOUSE_ALLOW_HOST.',
    )
})
