import { once } from 'node:events'
import { expect, test } from 'vitest'
import { run, start } from '../support/cli.ts'
import { isAlive, startCommand } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'

const node = process.execPath

test('the command finds both APIs, the server and a key of each plan, and prints alone', async () => {
  const script = `
    const { PLANTS_BASE_URL, APPS_BASE_URL, GREENHOUSE_URL, GREENHOUSE_KEY_FREE, GREENHOUSE_KEY_LITE, GREENHOUSE_KEY_PRO, GREENHOUSE_KEY_PRO_PLUS } = process.env
    const status = async (url, key) => (await fetch(url, { headers: { authorization: 'Bearer ' + key } })).status
    const answers = [await status(PLANTS_BASE_URL + '/plants', GREENHOUSE_KEY_FREE), await status(APPS_BASE_URL + '/apps', GREENHOUSE_KEY_LITE), await status(GREENHOUSE_URL + '/v1/apps', GREENHOUSE_KEY_PRO_PLUS)]
    console.log(JSON.stringify([...answers, GREENHOUSE_KEY_PRO]))`
  const { code, stdout, stderr } = await startCommand(['run', '--', node, '-e', script]).ended
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual([200, 200, 200, 'key_pro'])
  expect(code).toBe(0)
})

test('options before -- are those of serve; what stands after it is the command alone', async () => {
  const folder = writeFolder({
    'accounts.yaml':
      'accounts:\n  - { id: acct, name: A, email: a@example.com, plan: pro }\nkeys:\n  - { secret: own_expired, account: acct, expires_at: "2020-01-01T00:00:00Z" }\n  - { secret: own, account: acct }\n',
  })
  const script =
    'JSON.stringify([process.env.GREENHOUSE_KEY_PRO, process.env.GREENHOUSE_KEY_FREE, process.argv.slice(1)])'
  const words = ['run', '--fixtures', folder, '--', node, '-p', script, '--', '--port', 'x', '-h']
  const { stdout } = await run(words, { env: { ...process.env, GREENHOUSE_KEY_FREE: 'from outside' } })
  expect(JSON.parse(stdout)).toEqual(['own', null, ['--port', 'x', '-h']])
})

test('input reaches the command', async () => {
  const { child, ended } = startCommand(['run', '--', node, '-e', 'process.stdin.pipe(process.stdout)'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin!.end('through')
  expect(await ended).toMatchObject({ code: 0, stdout: 'through' })
})

const unix = test.skipIf(process.platform === 'win32')

unix.each([
  [['run', '--', node, '-e', 'process.exit(7)'], 7, '', ''],
  [['run', '--', node, '-e', `process.kill(process.pid, 'SIGKILL')`], 137, '', ''],
  [['run', '--', 'echo one && exit 3'], 3, 'one\n', ''],
  [['run', '--', 'no-such-command'], 127, '', '"no-such-command": the command was not found on the PATH.'],
  [['flip', '--', 'no-such-command'], 127, '', '"no-such-command": the command was not found on the PATH.'],
  [['case', 'shrink', 'FOLDER/a.case.yaml', '--', 'no-such-command'], 127, '', 'command was not found on the PATH.'],
  [['case', 'shrink', 'FOLDER/a.case.yaml', '--', 'no-such-command a'], 127, '', 'command was not found on the PATH.'],
  [['run', '--', 'FOLDER/a.case.yaml'], 126, '', 'a.case.yaml": permission denied.'],
])('%j ends with the code of the command or of a shell: %d', async (words, code, stdout, message) => {
  const folder = writeFolder({ 'a.case.yaml': 'case: 1\n' })
  const ended = await run(words.map((word) => word.replace('FOLDER', folder)))
  expect(ended).toMatchObject({ code, stdout, stderr: message && expect.stringContaining(message) })
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  unix(`${signal} is passed to the command, what that started ends too, and nothing stays behind`, async () => {
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
    expect(await ended).toMatchObject({ code: 5, stdout: expect.stringMatching(/told\n$/), stderr: '' })
    expect(isAlive(own)).toBe(false)
    await expect.poll(() => isAlive(pid)).toBe(false)
    await expect(fetch(url)).rejects.toThrow()
  })

unix('a signal reaches all that a shell started', async () => {
  const { output, kill, ended, untilPrinted } = start([
    'run',
    '--',
    `${node} -e 'console.log(process.pid); setInterval(() => {}, 1000)'; echo after`,
  ])
  await untilPrinted(/\n/)
  kill('SIGTERM')
  expect((await ended).code).toBe(143)
  await expect.poll(() => isAlive(Number(output.stdout))).toBe(false)
})
