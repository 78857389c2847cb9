import { chownSync, lchownSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { run, start, startServe } from '../support/cli.ts'
import { startCommand } from '../support/process.ts'
import { findFreePort } from '../support/free-port.ts'
import { writeFolder } from '../support/folder.ts'
import { expectWrongUse } from './server.ts'

const entry = pathToFileURL('dist/config.js').href

const kinds = {
  'greenhouse.config.ts': `import { defineConfig } from '${entry}'\nconst port = 4123 as number\nexport default defineConfig({ port, use: ['slow'] })`,
  'greenhouse.config.mts': `export default { port: 4123 as number, use: ['slow'] }`,
  'greenhouse.config.js': `export default { port: 4123, use: ['slow'] }`,
  'greenhouse.config.mjs': `export default { port: 4123, use: ['slow'] }`,
  'greenhouse.config.cjs': `module.exports = { port: 4123, use: ['slow'] }`,
  'greenhouse.config.json': `{ "$schema": "./config.schema.json", "port": 4123, "use": ["slow"] }`,
  'greenhouse.config.yaml': `port: 4123\nuse: [slow]\n`,
}

interface Printed {
  readonly file: string | null
  readonly data: readonly {
    readonly name: string
    readonly value: unknown
    readonly from: string
  }[]
}

/** Returns what `greenhouse-mock config` prints of a setting. */
async function settingOf(name: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { code, stdout, stderr } = await run(['config', '--json', ...words], {
    env: { ...process.env, ...env },
  })
  expect([code, stderr]).toEqual([0, ''])
  const { value, from } = (JSON.parse(stdout) as Printed).data.find(
    (setting) => setting.name === name,
  )!
  return [value, from]
}

test.each(Object.entries(kinds))('%s is read', async (name, text) => {
  const file = join(writeFolder({ [name]: text, 'package.json': '{ "type": "module" }' }), name)
  expect(await settingOf('port', ['--config', file])).toEqual([4123, name])
  expect(await settingOf('use', [`--config=${file}`])).toEqual([['slow'], name])
})

const writeYaml = (text: string) =>
  join(writeFolder({ 'greenhouse.config.yaml': text }), 'greenhouse.config.yaml')

test('flags win over variables, then the file, then defaults; --config none skips the file', async () => {
  const file = writeYaml('bodyLimit: 7\ntoken: s3cret\n')
  const env = { GREENHOUSE_CONFIG: file }
  const both = { ...env, GREENHOUSE_BODY_LIMIT: '8' }
  expect(await settingOf('bodyLimit', ['--body-limit', '9'], both)).toEqual([9, '--body-limit'])
  expect(await settingOf('bodyLimit', [], both)).toEqual([8, 'GREENHOUSE_BODY_LIMIT'])
  expect(await settingOf('bodyLimit', [], env)).toEqual([7, 'greenhouse.config.yaml'])
  expect(await settingOf('bodyLimit', ['--config', 'none'], env)).toEqual([1_048_576, 'default'])
  const { stdout } = await run(['config'], { env })
  expect(stdout).toMatch(/^token +\(hidden\) +greenhouse\.config\.yaml$/m)
  expect(stdout).not.toContain('s3cret')
})

test('serve uses the options of the file, its handlers, and paths relative to its folder', async () => {
  const accounts = 'accounts: [{ id: acct, name: A, email: a@example.com, plan: pro }]\n'
  const folder = writeFolder({
    'package.json': '{ "type": "module" }',
    'data/all.yaml': `${accounts}keys: [{ secret: key_own, account: acct }]\n`,
    'own/busy.yaml':
      'title: Busy\ndescription: Busy\ncovers: Waiting\nrespond: [{ on: plants.*, status: 503 }]\n',
    'assumptions.json': '{ "http.head": "as-get" }',
    'greenhouse.config.mjs': `import { http, HttpResponse } from '${pathToFileURL('node_modules/msw/lib/core/index.mjs').href}'
export default {
  fixtures: './data', scenarios: 'own', assumptions: 'assumptions.json', use: ['busy', { name: 'slow', ms: 1 }],
  maxWorlds: 5, token: 's3cret', handlers: [http.get('*/mine', () => HttpResponse.text('mine'))],
}`,
  })
  const file = join(folder, 'greenhouse.config.mjs')
  const { ready } = await startServe(['--config', file, '--assume', 'http.date=world'])
  expect(Object.keys(ready.keys)).toEqual(['key_own'])
  expect(ready.scenarios).toEqual(['busy', 'slow'])
  const get = (path: string, token = 'key_own') =>
    fetch(ready.plants_url + path, { headers: { authorization: `Bearer ${token}` } })
  expect((await get('/plants')).status).toBe(503)
  expect(await (await get('/mine')).text()).toBe('mine')
  expect((await get('/__greenhouse/start')).status).toBe(401)
  const { config } = (await (await get('/__greenhouse/start', 's3cret')).json()) as {
    config: string
  }
  expect(config).toBe(file)
  const assumed = await (await get('/__greenhouse/worlds/default/assumptions', 's3cret')).text()
  expect(assumed).toMatch(/"http\.head":[^}]*"as-get"/)
  expect(assumed).toMatch(/"http\.date":[^}]*"world"/)
})

test('with one area, serve, scenario list, routes and openapi tell of no other', async () => {
  const file = writeYaml('areas: [plants]\nport: 0\n')
  const env = { GREENHOUSE_CONFIG: file }
  const { output, untilPrinted } = start(['serve'], { env })
  await untilPrinted(/Try[^]*\/plants\?limit=3'\n/)
  expect(output.stdout).toMatch(/^ +Plants +http/m)
  expect(output.stdout).not.toMatch(/\/v1|Apps/)
  const printed = async (...words: string[]) => (await run(words, { env })).stdout
  expect(await printed('scenario', 'list')).toContain('duplicate-ids')
  expect(await printed('scenario', 'list')).not.toContain('stream-breaks')
  expect(await printed('routes')).not.toContain('/v1')
  const { paths } = JSON.parse(await printed('openapi')) as { paths: object }
  expect(Object.keys(paths)).toEqual(['/plants', '/plants/{id}'])
  await expectWrongUse(['openapi', '--area', 'apps'], 'this Greenhouse does not have that area', {
    env,
  })
  expect(await settingOf('areas', [], env)).toEqual([['plants'], 'greenhouse.config.yaml'])
})

test('commands use the nearest file from the working directory up to the root of the project', async () => {
  const folder = writeFolder({
    'greenhouse.config.yaml': 'seed: 5\n',
    'a/greenhouse.config.json': '{ "seed": 6 }',
    'a/b/c/x.txt': '',
    'd/greenhouse.config.yaml': '',
    'd/greenhouse.config.js': '',
    'e/package.json': '{}',
    'e/src/x.txt': '',
    'f/.git/HEAD': '',
    'f/src/x.txt': '',
    'g/pnpm-workspace.yaml': '',
  })
  const inside = (path: string) => run(['config', '--json'], { cwd: join(folder, path) })
  const fileOf = async (path: string) => (JSON.parse((await inside(path)).stdout) as Printed).file
  expect(await fileOf('a/b/c')).toMatch(/a[\\/]greenhouse\.config\.json$/)
  expect(await fileOf('.')).toMatch(/greenhouse\.config\.yaml$/)
  for (const path of ['e', 'e/src', 'f/src', 'g']) expect(await fileOf(path), path).toBe(null)
  const two = await inside('d')
  expect(two.code).toBe(2)
  expect(two.stderr).toMatch(
    /Found two configuration files, .*config\.js and .*config\.yaml\. Keep one/,
  )
})

const generating = '{ extends: default, generate: { plants: { count: 5, account: acct_prox } } }'

test.each([
  [
    'yaml',
    'port: 4010\nprot: 1\n',
    /yaml:2:1: prot: there is no such setting; expected one of .*\. Did you mean "port"\?/,
  ],
  [
    'yaml',
    'journal:\n  entrys: 1\n',
    /yaml:2:3: journal\.entrys: there is no such setting; expected one of entries\. Did you mean "entries"\?/,
  ],
  ['yaml', 'port: [\n', /yaml:2:1: /],
  ['json', '{\n  "strict": 1\n}', /json:2:3: strict: expected true or false, received 1/],
  ['yaml', 'seed: 1\nareas: [plnts]\n', /yaml:2:1: areas: .*"plnts".*Did you mean "plants"\?/],
  [
    'yaml',
    'seed: 1\nplans: [{ id: pro, minut: 3 }]\n',
    /yaml:2:20: plans\.0\.minut: there is no such field.*"minute"/,
  ],
  [
    'yaml',
    `fixtures: ${generating}\n`,
    /yaml:1:1: fixtures\.generated\.plants\.0\.account: there is no account "acct_prox"/,
  ],
  [
    'yaml',
    'token: 5\n',
    /yaml:1:1: token: expected visible ASCII characters, such as "s3cret", received something else/,
  ],
  [
    'yaml',
    'seed: 1\nfixtures: ./nowhere\n',
    /yaml:2:1: fixtures: Failed to read the folder ".*nowhere": there is no such folder\./,
  ],
  ['yaml', 'seed: 1\nuse: [slwo]\n', /yaml:2:1: use: .*"slwo".*Did you mean "slow"\?/],
  [
    'yaml',
    'fixtures:\n  plants: [{ id: x }]\n',
    /yaml:2:14: fixtures\.plants\.0\.id: expected an integer of 64 bits/,
  ],
  [
    'yaml',
    'assumptions: { http.haed: x }\n',
    /yaml:1:1: assumptions: .*"http\.haed".*Did you mean "http\.head"\?/,
  ],
  ['mjs', 'export default {\n  port: ,\n}', /mjs: Unexpected token ','/],
  ['mjs', 'const a = 1\nexport default { port: b }', /mjs:2:24: b is not defined/],
  ['mjs', 'export const port = 1', /mjs: expected a default export: export default defineConfig/],
  [
    'mjs',
    'export default { port: 70000 }',
    /mjs: port: expected a whole number from 0 to 65535, such as 4010, received 70000/,
  ],
  [
    'mjs',
    `import { defineConfig } from '${entry}'\nexport default defineConfig({ sede: 1 })`,
    /mjs:2:16: .*sede: there is no such option.*"seed"\?/,
  ],
])('a mistake in a file with the ending %s says where it is: %j', async (end, text, message) => {
  const name = `greenhouse.config.${end}`
  const file = join(writeFolder({ [name]: text }), name)
  for (const words of [['check'], ['serve'], ['run', '--', 'true']]) {
    const { code, stdout, stderr } = await run(words, {
      env: { ...process.env, GREENHOUSE_CONFIG: file },
    })
    expect(code, words[0]).toBe(words[0] === 'check' ? 1 : 2)
    expect(stdout + stderr, words[0]).toMatch(message)
  }
})

test.each([
  [
    `import { defineConfig } from '${entry}'\nexport default defineConfig({ portt: 1 })`,
    /ts:2:16: Failed to .*portt: there is no such option.*"port"\?/,
  ],
  [
    'export default { portt: 1 }',
    /ts: portt: there is no such setting; .*\. Did you mean "port"\?/,
  ],
  ['throw new Error("Mine")', /ts:1:7: Mine/],
  ['export default { port: 1 as number }', /ts: Node \S+ does not read TypeScript: install jiti/],
])(
  'a Node that reads no TypeScript is blamed only for types, not for other mistakes of a .ts file: %j',
  async (text, message) => {
    const folder = writeFolder({
      'package.json': '{ "type": "module" }',
      'greenhouse.config.ts': text,
      // jiti is installed beside this package, but not beside those of most users.
      'no-jiti.cjs': `const Module = require('node:module')
const resolve = Module._resolveFilename
Module._resolveFilename = function (name, ...others) {
  if (name === 'jiti') throw new Error('It is not installed.')
  return resolve.call(this, name, ...others)
}`,
    })
    const readsTypes = Boolean((process.features as { typescript?: unknown }).typescript)
    const NODE_OPTIONS = `--require ${join(folder, 'no-jiti.cjs')}${readsTypes ? ' --no-experimental-strip-types' : ''}`
    const { code, stderr } = await startCommand(['config'], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS },
    }).ended
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  },
)

test.skipIf(process.getuid?.() !== 0)(
  'a file of another user is read only if it is named',
  async () => {
    const folder = writeFolder({
      'greenhouse.config.yaml': 'seed: 5\n',
      'a.case.yaml': 'case: 1\ntitle: Small\n',
    })
    const inFolder = (...words: string[]) => run(words, { cwd: folder })
    chownSync(join(folder, 'greenhouse.config.yaml'), 65_534, 65_534)
    const rejected = await inFolder('routes')
    expect([rejected.code, rejected.stdout]).toEqual([2, ''])
    expect(rejected.stderr).toMatch(
      /greenhouse\.config\.yaml, which another user owns\. It is not read, because/,
    )
    expect((await inFolder('config', '--config', 'greenhouse.config.yaml')).stdout).toMatch(
      /^seed +5 /m,
    )
    expect(await inFolder('case', 'show', 'a.case.yaml')).toMatchObject({ code: 0, stderr: '' })
    const { ready } = await startServe()
    expect((await inFolder('status', '--server', ready.plants_url)).code).toBe(0)
  },
)

test.skipIf(process.getuid?.() !== 0)(
  'a link of another user is not followed, whoever owns its file',
  async () => {
    const folder = writeFolder({ 'own.yaml': 'seed: 5\n' })
    symlinkSync('own.yaml', join(folder, 'greenhouse.config.yaml'))
    expect((await run(['config'], { cwd: folder })).stdout).toMatch(/^seed +5 /m)
    lchownSync(join(folder, 'greenhouse.config.yaml'), 65_534, 65_534)
    const { code, stderr } = await run(['config'], { cwd: folder })
    expect([code, stderr]).toEqual([2, expect.stringContaining('which another user owns')])
  },
)

test('run takes any free port and passes the file on; status finds the server of the file', async () => {
  const { port } = new URL((await startServe()).ready.plants_url)
  const file = writeYaml(`port: ${port}\n`)
  const shown = "process.env.PLANTS_BASE_URL + ' ' + process.env.GREENHOUSE_CONFIG"
  const ran = await run(['run', '--config', file, '--', process.execPath, '-p', shown])
  expect([ran.code, ran.stderr]).toEqual([0, ''])
  expect(ran.stdout).toContain(file)
  expect(ran.stdout).not.toContain(`:${port} `)
  const status = await run(['status', '--config', file], {
    env: { ...process.env, GREENHOUSE_URL: '' },
  })
  expect(status.stdout).toContain(`:${port}, version`)
})

const serve = ['serve']
const status = ['status']
const others =
  '--host 0.0.0.0 lets other machines reach this server, its control API included. Set a secret with --token'

test.each<[variable: string, text: string, message: string, ...commands: string[][]]>([
  [
    'PORT',
    '70000',
    ': expected a whole number from 0 to 65535, such as 4010, received 70000.',
    serve,
  ],
  ['FROZEN', 'maybe', ': expected true or false, received "maybe".', serve],
  ['CORS', 'https://a.example,b', ': expected an origin', serve],
  [
    'TOKEN',
    'two words',
    ': expected visible ASCII characters',
    serve,
    ['run', '--', 'true'],
    ['flip', '--', 'true'],
    status,
  ],
  [
    'URL',
    'nowhere',
    ': expected a URL, such as http://127.0.0.1:4010, received "nowhere".',
    status,
  ],
  ['WORLD', '../x', ': expected 1 to 64 of the characters', status],
])(
  'a mistake in GREENHOUSE_%s is reported, a secret not repeated',
  async (name, text, message, ...all) => {
    const env = { ...process.env, [`GREENHOUSE_${name}`]: text }
    for (const words of all)
      expect(await expectWrongUse(words, `GREENHOUSE_${name}${message}`, { env })).not.toContain(
        'two words',
      )
  },
)

test('a host of other machines in a variable needs a token', async () => {
  await expectWrongUse(serve, `${others} or GREENHOUSE_TOKEN`, {
    env: { ...process.env, GREENHOUSE_HOST: '0.0.0.0' },
  })
})

test('a command reports a misspelt variable, and does its work', async () => {
  const { code, stderr } = await run(['routes'], { env: { ...process.env, GREENHOUSE_PROT: '1' } })
  const message = 'GREENHOUSE_PROT: there is no such variable. Did you mean "GREENHOUSE_PORT"?\n'
  expect([code, stderr]).toEqual([0, message])
})

test('commands find the server that was started with the same variables', async () => {
  const { port } = new URL((await startServe()).ready.plants_url)
  const env = { ...process.env, GREENHOUSE_URL: '', GREENHOUSE_PORT: port }
  for (const host of ['', '0.0.0.0', 'localhost', '127.0.0.1'])
    expect(await run(['status'], { env: { ...env, GREENHOUSE_HOST: host } }), host).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`:${port}, version`),
    })
  const elsewhere = await run(['status'], { env: { ...env, GREENHOUSE_HOST: '::' } })
  expect(elsewhere.stderr).toContain(`http://[::1]:${port}`)
})

test('commands within run find its server, and a nested run gets another port', async () => {
  const shown = "process.env.GREENHOUSE_URL + ' ' + process.env.GREENHOUSE_TOKEN"
  const commands = [['status'], ['openapi'], ['run', '--', process.execPath, '-p', shown]]
  const script = `for (const words of ${JSON.stringify(commands)})
    require('node:child_process').execFileSync(process.execPath, ['dist/greenhouse.cjs', ...words], { stdio: 'inherit' })`
  const port = await findFreePort()
  const env = {
    ...process.env,
    GREENHOUSE_PORT: String(port),
    GREENHOUSE_TOKEN: 's3cret',
    GREENHOUSE_WORLD: 'default',
  }
  const words = ['run', '--', process.execPath, '-e', script]
  const { code, stdout, stderr } = await run(words, { env })
  expect([code, stderr]).toEqual([0, ''])
  const lines = stdout.split('\n').filter((line) => line !== '')
  expect(lines[0]).toContain(`http://127.0.0.1:${port}, version`)
  expect(stdout).toContain(`"url": "http://127.0.0.1:${port}"`)
  expect(lines.at(-1)).toMatch(/^http:\/\/127\.0\.0\.1:\d+ s3cret$/)
  expect(lines.at(-1)).not.toContain(`:${port} `)
})

test.each(['serve', 'run', 'flip'])(
  'the help of %s states the rule for variables',
  async (name) => {
    expect((await run([name, '--help'])).stdout.replace(/\s+/g, ' ')).toContain(
      'Each flag of serve and run has a variable: --allow-host is GREENHOUSE_ALLOW_HOST.',
    )
  },
)
