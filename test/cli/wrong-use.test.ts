import { expect, test } from 'vitest'
import { nobody, startServe } from '../support/cli.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { expectWrongUse, startWithCommands } from './server.ts'

type Mistake = [line: string | string[], message: string | RegExp]

const target = `--target-plants ${nobody} --key k`

const mistakes: Mistake[] = [
  [
    [],
    /^A command is missing\.\n[^]*\n {2}greenhouse-mock serve +Serve both APIs[^]*\n {2}greenhouse-mock coverage/,
  ],
  ...['dev', 'start', 'mock'].map((name): Mistake => [
    name,
    `Unknown command: ${name}. Did you mean "serve"?`,
  ]),
  ['serv', 'Unknown command: serv. Did you mean "serve"?\nSee'],
  ['worlds list', 'Unknown command: worlds. Did you mean "world"?'],
  ['case tset a.case.yaml --runner jest', 'Unknown command: tset. Did you mean "test"?\nSee'],
  ['serve plants', 'Unknown argument: plants'],
  ['serve --log json plants', 'Unknown argument: plants'],
  ['serve --prot 1', '--prot: there is no such flag. Did you mean "--port"?'],
  ['serve --seed 7 --prot 1', '--prot: there is no such flag. Did you mean "--port"?'],
  [
    'serve --no-trac --scenaro=x',
    '--no-trac: there is no such flag. Did you mean "--no-trace"?\n--scenaro: there is no such flag. Did you mean "--scenario"?\n',
  ],
  [
    'check --scenarios mine',
    '--scenarios: there is no such flag.\nWrite: greenhouse-mock check [dirs..]\n',
  ],
  ['scenario use slow --wrld x', '--wrld: there is no such flag. Did you mean "--world"?'],
  ['routes --nonsense', '--nonsense: there is no such flag.'],
  [
    ['scenario', 'use', ', '],
    'Name the scenarios to use; greenhouse-mock scenario clear switches all of them off.',
  ],
  ['serve --port', '--port: a value is missing.'],
  ['serve --log json --port', '--port: a value is missing.'],
  ['serve --config', '--config: a value is missing.'],
  ['routes --config ./none.yaml', 'none.yaml": there is no such file.'],
  ['routes --config a --config b', '--config: it was given 2 times.'],
  ['serve --seed 7 --seed 8', '--seed: it was given 2 times.'],
  [
    'serve --port abc',
    '--port: expected a whole number from 0 to 65535, such as 4010, received "abc".',
  ],
  ['serve --log xml', '--log: expected one of "pretty", "json", "silent".'],
  [
    'serve --assume plants.delete.unknwn=204',
    'no such assumption. Did you mean "plants.delete.unknown"?',
  ],
  ['openapi --assume plants.delete.unknwn=204', 'Did you mean "plants.delete.unknown"?'],
  ['serve --assume plants.delete.unknown=205', 'it can be "404", "400", "204".'],
  ['serve --scenario expird-key', 'there is no such scenario. Did you mean "expired-key"?'],
  ['serve --scenario malformed-plant:kind=odd', 'kind: expected one of "wrong-type", "null"'],
  ['serve --scenario ms=800', 'after the name of their scenario and a colon, such as slow:ms=800.'],
  ...['0.0.0.0', '::', 'example.com'].map((host): Mistake => [
    `serve --host ${host}`,
    `--host ${host} lets other machines reach this server, its control API included. Set a secret with --token`,
  ]),
  ['serve --state a.yaml --case b.yaml', '--case: not together with --state. Use one of them.'],
  ['check --json --report md', '--report: not together with --json. Use one of them.'],
  [
    'case replay a.yaml --report junit --json',
    '--report: not together with --json. Use one of them.',
  ],
  ['serve --fixtures nowhere', 'Failed to read the folder "nowhere": there is no such folder.'],
  [
    'run --scenarios nowhere -- node',
    'Failed to read the folder "nowhere": there is no such folder.',
  ],
  [
    'serve --watch',
    'a folder to watch. Name it with --fixtures, with --scenarios or in greenhouse.config.ts.',
  ],
  ['check nowhere', `The path is relative to ${process.cwd()}.`],
  ['check test', 'Found no YAML or JSON files in the folder'],
  ['types no-such-folder', 'no-such-folder'],
  ['scenario', 'Expected list, show, use, clear or active.'],
  ['scenario show', 'An argument is missing. Write: greenhouse-mock scenario show <name>'],
  [
    'scenario show expired',
    'scenario "expired": there is no such scenario. Did you mean "expired-key"?',
  ],
  [
    'scenario use slow ms=800',
    'ms=800: this is an option, not a scenario. Did you mean "slow:ms=800"?',
  ],
  ['scenario use slow:ms=800 on=apps.*', 'Did you mean "slow:ms=800,on=apps.*"?'],
  ['scenario clear --server nonsense', '--server: expected a URL'],
  ['scenario clear --server ftp://127.0.0.1', 'expected a URL'],
  ['trigger', 'An argument is missing. Write: greenhouse-mock trigger <type>'],
  ['run --port 0', 'Put the command to run after "--"'],
  ['run npx vitest --run', 'Put -- before the command: greenhouse-mock run -- npx vitest --run'],
  [
    'run --strict npx vitest',
    'Put -- before the command: greenhouse-mock run --strict -- npx vitest',
  ],
  ['run --min-coverage 101 -- a', '--min-coverage: expected a percentage from 0 to 100, such as'],
  ['run --coverage-ignore plnts.list/* -- a', '"plnts.list/*". Did you mean "plants.list/'],
  ['run --coverage-only plnts.list -- a', 'matches "plnts.list". Did you mean "plants.list"?'],
  [
    'run --fail-on fail -- a',
    /^--fail-on: expected one of "failed", "violations", .*\. Did you mean "failed"\?/,
  ],
  ['run --ignore-violation x -- a', '--ignore-violation: expected one of "unknown-path", '],
  ...['+275760-09-13T00:00:00Z', '1969-12-31', '+010000-01-01'].map((now): Mistake => [
    `serve --now ${now}`,
    'expected a time in the years 1970 to 9999',
  ]),
  ['case', 'Expected save, replay, show, test or shrink.'],
  [
    'case save a.txt',
    'a.txt: expected a name that ends in .yaml or .json, such as renewal.case.yaml.',
  ],
  ['case replay none.yaml', 'Failed to read the case "none.yaml": ENOENT'],
  [
    'case test a --runner mocha',
    '--runner: expected one of "vitest", "jest", "playwright", "node".',
  ],
  ['case shrink none.yaml', 'Put the command to run after "--"'],
  [
    'case shrink a --runs 0 -- b',
    '--runs: expected a whole number, 1 or more, such as 200, received 0.',
  ],
  ['serve --port 0 --watch=maybe', '--watch: it takes no value.'],
  ['serve --port 0 --trace=', '--trace: it takes no value.'],
  ['serve --port 0 --no-trace=false', '--no-trace: it takes no value.'],
  ['serve --port 0 --watch=1', '--watch: it takes no value.'],
  ['run --coverage=yes -- node --version', '--coverage: it takes no value.'],
  ['scenario use slow --only=yes', '--only: it takes no value.'],
  ['fixtures init --force=yes', '--force: it takes no value.'],
  ['status --help=yes', '--help: it takes no value.'],
  ['flip --onyl plants.* -- a', '--onyl: there is no such flag. Did you mean "--only"?'],
  ['flip --watch -- a', '--watch: there is no such flag.'],
  ['flip', 'Put the command to run after "--": greenhouse-mock flip -- npm test'],
  ['flip --', 'Put the command to run after "--": greenhouse-mock flip -- npm test'],
  ['flip --only plant.* -- a', 'Found no assumption called "plant.*". Did you mean "plants.*"?'],
  ['flip --only plants.delete.unknwon -- a', 'Did you mean "plants.delete.unknown"?'],
  [
    'flip --parallel 0 -- a',
    '--parallel: expected a whole number from 1 to 64, such as 4, received 0.',
  ],
  ['flip --report html -- a', '--report: expected one of "table", "json", "junit", "md"'],
  ['flip --timeout 0s -- a', '--timeout: expected a duration above 0, such as 90s, received "0s".'],
  ['flip --timeout soon -- a', '--timeout: expected a duration above 0'],
  [
    'flip --port 4999 --parallel 2 -- a',
    '--port: variants that run at once each need a port of their own.',
  ],
  [
    'flip --assume plants.delete.unknown=403 -- a',
    'Failed to set the assumption "plants.delete.unknown" to "403"',
  ],
  [
    'flip --case a.yaml -- a',
    '--case: flip starts every run from fixtures. Leave out --case (or GREENHOUSE_CASE)',
  ],
  ['flip --state a.yaml -- a', '--state: flip starts every run from fixtures.'],
  ['flip --all=yes -- a', '--all: it takes no value.'],
  // A silent pass would prove nothing.
  [
    'flip -- node --version',
    'Nothing to flip: the command passed without a request to the server.',
  ],
  [
    `mcp --server ${nobody} --port 0`,
    `--port: the server at ${nobody} runs already. Give it the flag there, or leave`,
  ],
  ['mcp --server nowhere', '--server: expected a URL, such as http://127.0.0.1:4010,'],
  ['mcp --scenari slow', '--scenari: there is no such flag. Did you mean "--scenario"?'],
  ['mcp --host 0.0.0.0', '--host 0.0.0.0 lets other machines reach this server'],
  ['verify --key k', 'Name the server with --target-plants URL, --target-apps URL, or both.'],
  [`verify --target-plants ${nobody}`, 'Give an API key with --key or GREENHOUSE_VERIFY_KEY.'],
  ['verify --target-plants plants --key k', '--target-plants: expected an http or https URL'],
  [`verify ${target} --only plants.delete.statu`, 'Did you mean "plants.delete.status"?'],
  [`verify ${target} --allow-spending`, 'add --allow-writes'],
  [`verify ${target} --rate 0`, '--rate: expected a number of requests a second'],
  [`verify ${target} --report xml`, '--report: expected one of "table", "json", "junit", "md"'],
  [`verify ${target} --timeout 10`, '--timeout: expected a duration'],
  [`verify ${target} --read-lag 2m`, '--read-lag: expected a duration from 0s'],
  [`verify ${target} --read-lg 2s`, 'Did you mean "--read-lag"?'],
  [`scenario list --search ${'x'.repeat(1_001)}`, '--search: expected at most 1,000 characters.'],
]

test.each(mistakes)('greenhouse %j ends with code 2 and says: %s', async (line, message) => {
  await expectWrongUse(typeof line === 'string' ? line.split(' ') : line, message)
})

/** Wrong command lines about a running server, and the words of the error. */
const serverMistakes: [line: string, message: RegExp][] = [
  ['clock advance soon', /soon/],
  ['clock advance', /An argument is missing. Write: greenhouse-mock clock advance <advance>/],
  ['clock set yesterday', /yesterday/],
  ['clock set 99999-01-01T00:00:00Z', /99999/],
  ['clock freez', /^Unknown command: freez\. Did you mean "freeze"\?/],
  ['clock freeze -1h', /^Unknown argument: -1h\./],
  ['clock due --limit x', /^--limit: expected/],
  [
    'log --operation plants.lst',
    /There is no operation "plants.lst"\. Did you mean "plants\.list"\?/,
  ],
  ['log --all-worlds --operation plants.lst', /There is no operation "plants.lst"/],
  ['log --scenario slw', /scenario "slw": there is no such scenario\. Did you mean "slow"\?/],
  ['log --status 40x', /^--status: expected a status: a class such as "4xx", .*, received "40x"/],
  [`log --search ${'x'.repeat(1_001)}`, /^--search: expected at most 1,000 characters/],
  ['log --limit -1', /--limit/],
  ['log --world defalt', /There is no world "defalt"/],
  ['log --world default --all-worlds', /--world and --all-worlds exclude each other/],
  ['log --wait', /--wait works only with --follow/],
  ['log --folow', /--folow: there is no such flag\. Did you mean "--follow"\?/],
  ['log --path plants', /Did you mean "\/plants"\?/],
  ['log --follow --path plants', /Did you mean "\/plants"\?/],
  ['log --method GTE', /there is no method "GTE"\. Did you mean "GET"\?/],
  ['log --body name', /--body: expected FIELD=VALUE, such as name=Fern, received "name"/],
  ['records list plant', /There is no collection "plant".*Did you mean "plants"\?/],
  ['records read plants 77777', /77777/],
  ['records plants', /Unknown command: plants\./],
  ['records list plants --where.tga tree', /no field "tga".*Did you mean "tag"/],
  ['records list plants --limit few', /^--limit: expected a whole number/],
  ['records --sort name', /--sort: there is no such flag/],
  ['records read plants 1 --limit 2', /--limit: there is no such flag/],
  ['records replace plants --input @nowhere.json', /--input: failed to read the file: ENOENT/],
  ['records replace plants --input [', /--input: it is not JSON/],
  [
    'reset --world chekout',
    /^There is no world "chekout"\. Any .*\/~chekout\/… creates it\. Did you mean "checkout"\?\n$/,
  ],
  [
    'scenario use expird-key',
    /Failed to use the scenario "expird-key".*Did you mean "expired-key"/,
  ],
  ['scenario use expired-key:aftr=1h', /aftr: there is no such option/],
  ['scenario use expired-key --world ../x', /--world: expected 1 to 64 of the characters/],
  ['scenario use', /./],
  ['scenario use {respond:[', /^\{respond:\[: expected an object in JSON or YAML: /],
  ['scenario use {"repond":[]}', /repond: there is no such field.*Did you mean "respond"/],
  ['scenario clear expird-key', /Did you mean "expired-key"\?/],
  ['status --world defalt', /^There is no world "defalt"\..* Did you mean "default"\?\n$/],
  ['trigger plant.creatd', /plant\.creatd.*Did you mean "plant\.created"/],
  ['trigger plant.created --data {', /--data: /],
  ['trigger plant.created --data []', /--data: expected an object/],
  ['trigger plant.created --account acct_nobody', /acct_nobody/],
]

test('a mistake in a command about a running server is explained, and changes nothing', async () => {
  const { call, print, url } = await startWithCommands('--now', '2026-03-01T12:00:30Z', '--frozen')
  await call('/~checkout/plants')
  const before = [await print('status'), await print('clock')]
  for (const [line, message] of serverMistakes)
    await expectWrongUse([...line.split(' '), '--server', url], message)
  expect([await print('status'), await print('clock')]).toEqual(before)
})

test('without a server a command says how to start one, without a stack', async () => {
  await expectWrongUse(
    ['status', '--server', nobody],
    `Failed to reach a Greenhouse at ${nobody}: ECONNREFUSED. Start one with greenhouse-mock serve, or name another server with --server or GREENHOUSE_URL.\n`,
  )
})

test.each([
  [404, '<h1>Not found</h1>'],
  [200, 'hello'],
  [500, '{"error":"no"}'],
  [500, 'null'],
])(
  'status reports a server that is not Greenhouse, whatever it answers: %d %s',
  async (status, body) => {
    const url = new URL((await startReceiver(() => ({ status, body }))).url).origin
    await expectWrongUse(
      ['status', '--server', url],
      `Failed to use the server at ${url}: it answered ${status}`,
    )
  },
)

test('a port that is taken ends with code 2 and names the port and the flag', async () => {
  const { port } = new URL((await startServe()).ready.plants_url)
  await expectWrongUse(
    ['serve', '--port', port],
    `port ${port} is taken. Choose another with --port`,
  )
})

/**
 * Flags of serve that take a value: what an error asks for, and texts that look like such a value
 * and are none.
 */
const values: Readonly<Record<string, [asks: string, junk: string] | string>> = {
  port: [
    'a whole number from 0 to 65535',
    '0x10|1e3|+80| 80|80 |８０|-1|65536|99999|80.5|80.0000000000000000001',
  ],
  host: [
    'an address or a host name of this machine',
    'http://127.0.0.1|127.0.0.1:4010|a b|[::1]:80|user@localhost|*',
  ],
  token: [
    'visible ASCII characters, such as "s3cret",',
    'two words|tab\there|schlüssel|line\nbreak',
  ],
  'tls-cert': 'a file, such as ./localhost.pem,',
  'tls-key': 'a file, such as ./localhost-key.pem,',
  handlers: 'a file, such as ./handlers.mjs,',
  log: 'one of "pretty", "json", "silent".',
  fixtures: 'a folder, such as ./fixtures,',
  scenarios: 'a folder, such as ./fixtures,',
  scenario: ['NAME or NAME:option=value,…, such as rate-limited-plan:window=day,', ':ms=5|  :'],
  assume: [
    'ID=VALUE, such as plants.delete.unknown=204,',
    '=404|plants.delete.unknown=|plants.delete.unknown',
  ],
  seed: ['a whole number, such as 7,', '1.5|1e3|1e-400|9007199254740992|NaN|Infinity|x'],
  now: ['a time in ISO 8601, such as 2026-01-31T12:00:00Z,', 'yesterday|12:00|2026-13-01|2026'],
  cors: [
    'an origin (scheme, host and port, as browsers send it), or *, such as "https://app.example.com",',
    'not an origin|example.com|https://app.example.com/|https://app.example.com/path|https://APP.example.com|null|**|' +
      'https://app.example.com:443|https://*.example.com|https://user@app.example.com',
  ],
  'webhook-allow': [
    'a host name or an address, without a scheme or a port, such as "hooks.example.com",',
    'http://x/|https://hooks.example.com|hooks.example.com/|hooks.example.com:443|*|*.example.com|a b|2130706433|a@b.example',
  ],
  'allow-host': [
    'a host name without a scheme or a port, such as "api"; with a leading dot, it stands for',
    'http://api|api:4010|*',
  ],
  'control-origin': [
    'one exact origin: scheme, host and port as browsers send them, without a path and without *, such as',
    '*|null|http://localhost:5173/|http://localhost:5173/app|HTTP://localhost:5173|http://Localhost:5173|' +
      'http://localhost:80|localhost:5173|http://*.localhost:5173',
  ],
  memory: [
    'a number of bytes, such as 64MiB,',
    '-1|1.5|many|1 MiB MiB|10TB|99999999999999999|1k|1.5MiB',
  ],
  'body-limit': ['a number of bytes, such as 64MiB,', '1k|1e6|1.0|-0.5|-1'],
}

test.each(Object.entries(values))(
  '--%s takes nothing that only looks like a value',
  async (flag, given) => {
    const [asks, junk = ''] = [given].flat()
    for (const value of ['', '  ', ...junk.split('|').filter(Boolean)]) {
      const words = [
        'serve',
        ...(flag === 'port' ? [] : ['--port', '0']),
        ...(flag === 'host' ? ['--token', 'x'] : []),
      ]
      const stderr = await expectWrongUse(
        [...words, ...(value === '' ? [`--${flag}`, ''] : [`--${flag}=${value}`])],
        `: expected ${asks}`,
      )
      expect(stderr, value).toMatch(new RegExp(`^--${flag}: expected `))
      if (flag === 'token' && value !== '') expect(stderr).not.toContain(value)
    }
  },
)

test.each([
  ['scenario list', '--scenarios', 'a folder'],
  ['scenario clear', '--server', 'a URL, such as http://127.0.0.1:4010,'],
  ['scenario clear', '--world', '1 to 64 of the characters'],
  ['scenario clear', '--token', 'visible ASCII characters'],
  ['trigger app.created', '--data', 'JSON'],
  ['trigger app.created', '--account', 'text'],
  ['trigger app.created', '--app-id', 'text'],
  ['trigger app.created', '--world', '1 to 64 of the characters'],
])('an empty or blank value is wrong use: %s %s', async (line, flag, asks) => {
  const words = line.split(' ')
  await expectWrongUse([...words, flag, ''], `${flag}: expected ${asks}`)
  await expectWrongUse([...words, `${flag}=  `], `${flag}: expected ${asks}`)
})

test('a flag that is given twice where it counts once is wrong use', async () => {
  for (const flag of [
    '--port',
    '--host',
    '--token',
    '--seed',
    '--now',
    '--body-limit',
    '--fixtures',
    '--log',
  ])
    await expectWrongUse(
      ['serve', flag, 'json', flag, 'json'],
      `${flag}: it was given 2 times. Give it once.`,
    )
})

test('the values that those flags do take are taken', async () => {
  const origins =
    'https://app.example.com|http://localhost:5173|capacitor://localhost|chrome-extension://a|*'.split(
      '|',
    )
  const names = ['hooks.example.com', 'My_Service', '10.0.0.1', '::1', '[::1]', 'example.com.']
  const { call } = await startServe([
    ...origins.map((origin) => `--cors=${origin}`),
    ...names.map((name) => `--webhook-allow=${name}`),
    ...'--seed -7 --body-limit 0 --trace=false --token a!b~c --now 2026-01-31'.split(' '),
  ])
  const { headers } = await call('/plants', { headers: { origin: 'https://app.example.com' } })
  expect(headers.get('access-control-allow-origin')).toBe('https://app.example.com')
})
