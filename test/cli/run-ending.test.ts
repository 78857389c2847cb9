import { expect, test } from 'vitest'
import { start } from '../support/cli.ts'
import { isAlive } from '../support/process.ts'
import { startReceiver } from '../webhooks/receiver.ts'

const node = process.execPath

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

test.skipIf(process.platform === 'win32')(
  'a command that ignores signals is killed after the second one, with all that it started',
  async () => {
    const script = `
    const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'process.on("SIGINT", () => {}); process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    process.on('SIGTERM', () => console.log('SIGTERM'))
    process.on('SIGINT', () => console.log('SIGINT'))
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

test.skipIf(process.platform === 'win32')('a third signal kills such a command at once', async () => {
  const { kill, ended, untilPrinted } = start([
    'run',
    '--',
    node,
    '-e',
    `process.on('SIGTERM', () => console.log('told')); setInterval(() => {}, 1000); console.log('ready')`,
  ])
  for (const text of ['ready\n', 'ready\ntold\n', 'ready\ntold\ntold\n']) {
    await untilPrinted(new RegExp(`^${text}$`))
    kill('SIGTERM')
  }
  // The third signal is passed on too, just before the kill: whether the command still reports it depends on the system.
  expect(await ended).toMatchObject({ code: 137, stdout: expect.stringMatching(/^ready\ntold\ntold\n/) })
})
