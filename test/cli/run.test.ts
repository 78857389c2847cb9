import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, start, nobody, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { lacks } from '../support/lacks.ts'
import { isAlive, startCommand, command, startProcess } from '../support/process.ts'
import { startReceiver } from '../webhooks/receiver.ts'

const node = process.execPath

test('the command finds both APIs, the server and a key of each plan, and prints alone', async () => {
  const script = `
    const { PLANTS_BASE_URL, APPS_BASE_URL, GREENHOUSE_URL, ...env } = process.env
    const status = async (url, plan) =>
      (await fetch(url, { headers: { authorization: 'Bearer ' + env['GREENHOUSE_KEY_' + plan] } })).status
    const answers = [await status(PLANTS_BASE_URL + '/plants', 'FREE'), await status(APPS_BASE_URL + '/apps', 'LITE')]
    answers.push(await status(GREENHOUSE_URL + '/v1/apps', 'PRO_PLUS'), env.GREENHOUSE_KEY_PRO)
    console.log(JSON.stringify(answers))`
  const { code, stdout, stderr } = await startCommand(['run', '--', node, '-e', script]).ended
  expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', [200, 200, 200, 'key_pro']])
})

test('options before -- are for serve, the words after it are the command', async () => {
  const expired = '{ secret: own_expired, account: acct, expires_at: "2020-01-01T00:00:00Z" }'
  const folder = writeFolder({
    'accounts.yaml': 'accounts: [{ id: acct, name: A, email: a@example.com, plan: pro }]\n',
    'keys.yaml': `keys: [${expired}, { secret: own, account: acct }]\n`,
  })
  const script =
    'JSON.stringify([process.env.GREENHOUSE_KEY_PRO, process.env.GREENHOUSE_KEY_FREE, process.argv.slice(1)])'
  const words = ['run', '--fixtures', folder, '--', node, '-p', script, '--', '--port', 'x', '-h']
  const { stdout } = await run(words, {
    env: { ...process.env, GREENHOUSE_KEY_FREE: 'from outside' },
  })
  expect(JSON.parse(stdout)).toEqual(['own', null, ['--port', 'x', '-h']])
})

test('input reaches the command', async () => {
  const words = ['run', '--', node, '-e', 'process.stdin.pipe(process.stdout)']
  const { child, ended } = startCommand(words, { stdio: 'pipe' })
  child.stdin!.end('through')
  expect(await ended).toMatchObject({ code: 0, stdout: 'through' })
})

const unix = test.skipIf(lacks.sh)

unix.each([
  [['run', '--', node, '-e', 'process.exit(7)'], 7, '', ''],
  [['run', '--', node, '-e', `process.kill(process.pid, 'SIGKILL')`], 137, '', ''],
  [['run', '--', 'echo one && exit 3'], 3, 'one\n', ''],
  [
    ['run', '--', 'no-such-command'],
    127,
    '',
    '"no-such-command": the command was not found on the PATH.',
  ],
  [
    ['flip', '--', 'no-such-command'],
    127,
    '',
    '"no-such-command": the command was not found on the PATH.',
  ],
  [
    ['case', 'shrink', 'FOLDER/a.case.yaml', '--', 'no-such-command'],
    127,
    '',
    'command was not found on the PATH.',
  ],
  [
    ['case', 'shrink', 'FOLDER/a.case.yaml', '--', 'no-such-command a'],
    127,
    '',
    'command was not found on the PATH.',
  ],
  [['run', '--', 'FOLDER/a.case.yaml'], 126, '', 'a.case.yaml": permission denied.'],
])(
  '%j ends with the code of the command or of a shell: %d',
  async (words, code, stdout, message) => {
    const folder = writeFolder({ 'a.case.yaml': 'case: 1\n' })
    const ended = await run(words.map((word) => word.replace('FOLDER', folder)))
    expect(ended).toMatchObject({
      code,
      stdout,
      stderr: message && expect.stringContaining(message),
    })
  },
)

// Root may enter every folder, so this says more to others.
unix.each([
  ['no-such-command', 127, 'was not found on the PATH'],
  ['not-executable', 126, 'permission denied'],
])(
  'with a folder on the PATH that nobody may enter, %s ends with %d',
  async (program, code, message) => {
    const folder = writeFolder({ 'open/not-executable': '', 'closed/nothing': '' })
    chmodSync(join(folder, 'closed'), 0o000)
    const env = { ...process.env, PATH: `${folder}/closed:${folder}/open:${process.env['PATH']}` }
    const { ended } = startCommand(['run', '--', program], { env })
    expect(await ended).toMatchObject({ code, stderr: expect.stringContaining(message) })
    chmodSync(join(folder, 'closed'), 0o700)
  },
)

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  unix(
    `${signal} is passed to the command, what that started ends too, and nothing stays behind`,
    async () => {
      const script = `
      const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
      process.on('${signal}', () => { console.log('told'); process.exit(5) })
      setInterval(() => {}, 1000)
      console.log(JSON.stringify({ pid, own: process.pid, url: process.env.GREENHOUSE_URL }))`
      const { child, output, ended } = startCommand(['run', '--', node, '-e', script])
      while (!output.stdout.includes('\n')) await once(child.stdout!, 'data')
      const { pid, own, url } = JSON.parse(output.stdout)
      expect((await fetch(url + '/plants')).status).toBe(401)
      child.kill(signal)
      expect(await ended).toMatchObject({
        code: 5,
        stdout: expect.stringMatching(/told\n$/),
        stderr: '',
      })
      expect(isAlive(own)).toBe(false)
      await expect.poll(() => isAlive(pid)).toBe(false)
      await expect(fetch(url)).rejects.toThrow()
    },
  )

unix('a signal reaches all that a shell started', async () => {
  const words = `${node} -e 'console.log(process.pid); setInterval(() => {}, 1000)'; echo after`
  const { output, kill, ended, untilPrinted } = start(['run', '--', words])
  await untilPrinted(/\n/)
  kill('SIGTERM')
  expect((await ended).code).toBe(143)
  await expect.poll(() => isAlive(Number(output.stdout))).toBe(false)
})

test('run ends with the code of its command, whatever receivers, requests or children remain', async () => {
  const receiver = await startReceiver(() => 'never')
  const script = `
    const { GREENHOUSE_URL: url, GREENHOUSE_KEY_PRO: key } = process.env
    const call = (path, body) => fetch(url + path, { method: 'POST', headers: { authorization: 'Bearer ' + key, 'content-type': 'application/json' }, body: JSON.stringify(body) })
    for (let hook = 0; hook < 3; hook++) await call('/v1/webhooks', { url: '${receiver.url}?' + hook })
    for (let id = 9_000; id < 9_010; id++) await call('/plants', { id, name: 'Fern' })
    fetch(url + '/plants', { headers: { authorization: 'Bearer ' + key, 'X-Greenhouse-Scenario': 'very-slow:ms=600000' } })
    await new Promise((resolve) => setTimeout(resolve, 50))
    process.exit(6)`
  const { ended } = start(['run', '--', node, '--input-type=module', '-e', script])
  expect(await ended).toMatchObject({ code: 6, signal: null, stdout: '', stderr: '' })
})

unix(
  'a command that ignores signals is killed after the second one, with all that it started',
  async () => {
    const ignoring =
      'process.on("SIGINT", () => {}); process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'
    const script = `
    const { spawn } = require('node:child_process')
    const { pid } = spawn(process.execPath, ['-e', '${ignoring}'], { stdio: 'ignore' })
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => console.log(signal))
    setInterval(() => {}, 1000)
    console.log(JSON.stringify([process.pid, pid]))`
    const { output, kill, ended, untilPrinted } = start(['run', '--', node, '-e', script])
    await untilPrinted(/\]\n/)
    const pids = JSON.parse(output.stdout) as number[]
    kill('SIGTERM')
    await untilPrinted(/SIGTERM\n/)
    expect(isAlive(pids[0]!)).toBe(true)
    kill('SIGINT')
    await untilPrinted(/SIGINT\n/)
    expect(await ended).toMatchObject({ code: 137, stderr: '' })
    for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false)
  },
)

unix('a third signal kills such a command at once', async () => {
  const script = `process.on('SIGTERM', () => console.log('told')); setInterval(() => {}, 1000); console.log('ready')`
  const { kill, ended, untilPrinted } = start(['run', '--', node, '-e', script])
  for (const text of ['ready\n', 'ready\ntold\n', 'ready\ntold\ntold\n']) {
    await untilPrinted(new RegExp(`^${text}$`))
    kill('SIGTERM')
  }
  // The third signal is passed on too, just before the kill: whether the command still reports it
  // depends on the system.
  expect(await ended).toMatchObject({
    code: 137,
    stdout: expect.stringMatching(/^ready\ntold\ntold\n/),
  })
})

unix.each([
  [{}, [], '127.0.0.1', '127.0.0.1'],
  [{ NO_PROXY: 'a.test b.test' }, ['--host', '0.0.0.0'], '127.0.0.1', 'a.test,b.test,127.0.0.1'],
  [{ no_proxy: 'b.test,127.0.0.1' }, [], '127.0.0.1', 'b.test,127.0.0.1'],
  [{ NO_PROXY: '*' }, ['--host', '::'], '[::1]', '*'],
])(
  'with %j, run %j gives its command the host %s, and no proxy for %s',
  async (given, words, host, hosts) => {
    const names = ['PLANTS_BASE_URL', 'APPS_BASE_URL', 'GREENHOUSE_URL', 'NO_PROXY', 'no_proxy']
    const script = `JSON.stringify(${JSON.stringify(names)}.map((name) => process.env[name]))`
    const env = { ...process.env, NO_PROXY: '', no_proxy: '', ...given }
    const { stdout } = await run(['run', ...words, '--token', 's3cret', '--', node, '-p', script], {
      env,
    })
    const [plants, apps, own, ...proxies] = JSON.parse(stdout) as string[]
    expect([plants, apps, own].map((url) => new URL(url!).host.replace(/:\d+$/, ''))).toEqual([
      host,
      host,
      host,
    ])
    expect(proxies).toEqual([hosts, hosts])
  },
)

test('status reaches this machine without the proxy of the environment', async () => {
  const { ready } = await startServe()
  const env = {
    ...process.env,
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: nobody,
    http_proxy: nobody,
    NO_PROXY: '',
  }
  const { code, stdout } = await startCommand(['status', '--server', ready.plants_url], { env })
    .ended
  expect([code, stdout]).toEqual([0, expect.stringContaining(ready.plants_url)])
})

test('Node 18 gets a sentence', async () => {
  const folder = writeFolder({
    'old.cjs': `Object.defineProperty(process.versions, 'node', { value: '18.20.8' })`,
  })
  const { ended } = startProcess(node, ['-r', join(folder, 'old.cjs'), command, 'status'])
  const stderr = 'greenhouse-mock needs Node 20.19 or later. This is Node 18.20.8.\n'
  expect(await ended).toMatchObject({ code: 2, stdout: '', stderr })
})

test.each([
  [true, /^The panel is at http:\/\/127\.0\.0\.1:\d+\/__greenhouse\/\n$/],
  [false, /^$/],
])('in a terminal, run says where the panel is: %s', async (isTTY, message) => {
  expect(await run(['run', '--', node, '-e', '0'], { isTTY })).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(message),
  })
})
