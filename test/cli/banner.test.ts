import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { start, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { parseLines } from './server.ts'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lacks } from '../support/lacks.ts'
import { openPage } from '../../src/cli/commands/serve.ts'

async function readBanner(...flags: string[]): Promise<string> {
  const { output, untilPrinted } = start(['serve', '--port', '0', ...flags])
  await untilPrinted(/Try[^]*\/apps\n/)
  return output.stdout
}

const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version'])
    return true
  } catch {
    return false
  }
})()

test.runIf(hasCurl)(
  'the curl lines of the banner work when they are pasted into a shell',
  async () => {
    const lines = (await readBanner()).split('\n').filter((line) => line.trim().startsWith('curl '))
    expect(lines).toHaveLength(2)
    const paste = async (line: string) =>
      JSON.parse((await promisify(execFile)('sh', ['-c', line])).stdout)
    const [plants, apps] = await Promise.all(lines.map(paste))
    expect(plants).toEqual([
      { name: expect.any(String), tag: expect.any(String) },
      expect.anything(),
      expect.anything(),
    ])
    expect(apps.data.length).toBeGreaterThan(0)
  },
)

test('the banner shows the URLs, the panel first, the keys with their plans, and the scenarios', async () => {
  const banner = await readBanner(
    '--scenario',
    'rate-limited-plan:plan=free',
    '--scenario',
    'malformed-plant',
  )
  const [panel, plants, apps] = banner.split('\n')
  const [, url] = /^ {2}Plants {2}(http:\/\/127\.0\.0\.1:\d+)$/.exec(plants!)!
  expect([panel, apps]).toEqual([`  Panel   ${url}/__greenhouse/`, `  Apps    ${url}/v1`])
  for (const [key, plan] of [
    ['key_free', 'free'],
    ['key_pro_plus', 'pro_plus'],
    ['key_expired', 'pro, expires 2020'],
    ['key_revoked', 'pro, revoked'],
    ['key_readonly', 'pro, apps:read'],
  ])
    expect(banner).toMatch(new RegExp(`${key} +${plan}`))
  expect(banner).toContain('Scenarios: rate-limited-plan, malformed-plant\n')
})

test.each([
  ['a world without keys', ''],
  ['a world whose keys are no plain words', 'keys: [{ secret: Str0ngSecret, account: acct }]\n'],
])('the banner of %s says where one would stand', async (_, keys) => {
  const accounts = `accounts:\n  - { id: acct, name: A, email: a@example.com, plan: pro }\n${keys}`
  const banner = await readBanner('--fixtures', writeFolder({ 'accounts.yaml': accounts }))
  expect(banner).toContain("'Authorization: Bearer <key>'")
  expect(banner).not.toContain('Str0ng')
})

test('the first line of --log json says where everything is', async () => {
  const { ready, call, stop } = await startServe(['--scenario', 'malformed-plant:item=1'])
  expect(ready).toMatchObject({
    event: 'ready',
    plants_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    apps_url: `${ready.plants_url}/v1`,
    panel_url: `${ready.plants_url}/__greenhouse/`,
    scenarios: ['malformed-plant'],
  })
  for (const plan of ['free', 'lite', 'pro', 'pro_plus'])
    expect(ready.keys[`key_${plan}`]).toMatchObject({ plan, account: `acct_${plan}` })
  expect((await call('/plants')).status).toBe(200)
  expect(
    (await fetch(ready.apps_url + '/apps', { headers: { authorization: 'Bearer key_free' } }))
      .status,
  ).toBe(200)
  for (const line of parseLines((await stop()).stdout)) expect(line).toHaveProperty('event')
})

const unix = test.skipIf(lacks.sh)

/** Makes a folder with a program that writes down what it was given, and ends. */
function install(program: string, exitCode = 0): string {
  const folder = writeFolder({
    [program]: `#!/bin/sh\ncd "$(dirname "$0")"\nprintf '%s\\n' "$@" > given.part\nmv given.part given\nexit ${exitCode}\n`,
  })
  chmodSync(join(folder, program), 0o755)
  return folder
}

const withSystem = (folder: string) => `${folder}:${process.env['PATH']}`

async function readGiven(folder: string): Promise<string[]> {
  await expect.poll(() => existsSync(join(folder, 'given'))).toBe(true)
  return readFileSync(join(folder, 'given'), 'utf8').trimEnd().split('\n')
}

const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'

const startWith = (path: string, ...flags: string[]) =>
  startServe(flags, { env: { ...process.env, PATH: path } })

unix('serve --open gives the URL of the panel to what opens pages', async () => {
  const folder = install(opener)
  const { ready, stop } = await startWith(withSystem(folder), '--open')
  expect(await readGiven(folder)).toEqual([ready.panel_url])
  expect(await stop()).toMatchObject({ code: 0, stderr: '' })
})

unix.each([
  ['is missing', () => writeFolder({}), `${opener} was not found on the PATH`],
  ['fails', () => withSystem(install(opener, 3)), `${opener} ended with exit code 3`],
])('where the program %s, serve --open says so, and serves', async (_, toPath, reason) => {
  const { ready, call, output, stop } = await startWith(toPath(), '--open')
  const message = `Failed to open the panel: ${reason}. Open ${ready.panel_url} yourself.\n`
  await expect.poll(() => output.stderr).toBe(message)
  expect((await call('/plants')).status).toBe(200)
  expect((await stop()).code).toBe(0)
})

test('without --open nothing is opened', async () => {
  const { stop } = await startWith(writeFolder({}))
  expect((await stop()).stderr).toBe('')
})

const url = 'http://127.0.0.1:4010/__greenhouse/?a=1&b=%PATH%#/traffic?status=4xx&search="a b"'

const commands = [
  ['darwin', ['open', url]],
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler', url]],
  ['linux', ['xdg-open', url]],
  ['freebsd', ['xdg-open', url]],
] as const

function openWith(path: string, platform: NodeJS.Platform) {
  const output = { text: '' }
  const stderr = { write: (text: string) => (output.text += text) } as never
  openPage({ stderr, env: { ...process.env, PATH: path } }, url, platform)
  return output
}

unix.each(commands)(
  'the program of %s gets the URL as it is',
  async (platform, [program, ...args]) => {
    const folder = install(program)
    const output = openWith(withSystem(folder), platform)
    expect(await readGiven(folder)).toEqual(args)
    expect(output.text).toBe('')
  },
)
