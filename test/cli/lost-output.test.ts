import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { logRequests } from '../../src/cli/output/request-log.ts'
import { createGreenhouse } from '../../src/index.ts'
import { nobody, run, start, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { lacks } from '../support/lacks.ts'
import { startCommand, startProcess, startQuietServe, command } from '../support/process.ts'

const onFullDisk = { fails: { stdout: 'ENOSPC' } }

test('a command that cannot print says so in one line and fails, unless nobody reads its output', async () => {
  const { ready } = await startServe()
  const folder = writeFolder({ 'plants.yaml': 'plants: []\n' })
  const lines = [
    'openapi|openapi --format yaml|routes|routes --json|assumptions|scenario list',
    `check ${folder}|verify --target-plants ${ready.plants_url} --key key_pro --only plants.list.reply`,
  ]
  const about = 'scenario use slow|status|records list plants|log|clock|trigger app.created|reset'
  const commands = [
    ...lines.flatMap((some) => some.split('|')).map((line) => line.split(' ')),
    ...about.split('|').map((line) => [...line.split(' '), '--server', ready.plants_url]),
  ]
  for (const args of commands) {
    expect(await run(args, onFullDisk), args.join(' ')).toMatchObject({
      code: 2,
      stderr: `greenhouse-mock ${args[0]}: could not write to stdout: write ENOSPC\n`,
    })
    expect(await run(args, { fails: { stdout: 'EPIPE' } }), args.join(' ')).toMatchObject({
      code: 0,
      stderr: '',
    })
  }
  for (const word of ['--help', '--version']) {
    const stderr = 'greenhouse-mock: could not write to stdout: write ENOSPC\n'
    expect(await run([word], onFullDisk)).toMatchObject({ code: 2, stderr })
    expect(await run([word], { fails: { stdout: 'EPIPE' } })).toMatchObject({ code: 0, stderr: '' })
  }
})

test('a command that fails anyway keeps its exit code', async () => {
  const folder = writeFolder({ 'plants.yaml': 'plants: 1\n' })
  expect(await run(['check', folder], onFullDisk)).toMatchObject({
    code: 1,
    stderr: 'greenhouse-mock check: could not write to stdout: write ENOSPC\n',
  })
  expect(
    (await run(['check', folder], { fails: { stdout: 'ENOSPC', stderr: 'ENOSPC' } })).code,
  ).toBe(1)
  expect((await run(['status', '--server', nobody], { fails: { stderr: 'EIO' } })).code).toBe(2)
})

test('commands that end the process themselves fail too', async () => {
  const { ready, call } = await startServe()
  await call('/plants')
  expect(
    await start(['log', '--follow', '--server', ready.plants_url], onFullDisk).ended,
  ).toMatchObject({
    code: 2,
    stderr: 'greenhouse-mock log: could not write to stdout: write ENOSPC\n',
  })
  const script = `fetch(process.env.PLANTS_BASE_URL + '/plants')`
  const words = ['flip', '--only', 'plants.delete.unknown', '--', process.execPath, '-e', script]
  expect(await run(words, onFullDisk)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /\ngreenhouse-mock flip: could not write to stdout: write ENOSPC\n$/,
    ),
  })
})

test('a log resumes on a new line once there is room, and reports how many lines are missing', async () => {
  const greenhouse = createGreenhouse()
  const ask = () => greenhouse.fetch(new Request('http://any/plants')).then((reply) => reply.text())
  let isFull = true
  let text = ''
  let writes = 0
  const stream = {
    writableLength: 0,
    // A full disk has room for the beginning.
    write(chunk: string | Uint8Array, done: (error?: Error) => void) {
      const whole = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      text += isFull ? whole.slice(0, 10) : whole
      done(isFull ? new Error('write ENOSPC') : undefined)
      writes++
    },
  }
  const end = logRequests(greenhouse, 'json', stream as never, {})
  for (let round = 0; round < 3; round++) await ask()
  await expect.poll(() => writes).toBe(1)
  await ask()
  await expect.poll(() => writes).toBe(2)
  isFull = false
  for (let round = 0; round < 2; round++) await ask()
  end()
  const lines = text.trimEnd().split('\n').slice(-3)
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { event: 'dropped', lines: 4 },
    expect.objectContaining({ id: 5 }),
    expect.objectContaining({ id: 6 }),
  ])
})

test.skipIf(!existsSync('/dev/full'))(
  'a full disk: a server says so once and serves on, a command fails',
  async () => {
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    const whole = 'could not write to stdout: no space left on device\n'
    const both = await startQuietServe(['--log', 'json'], { stdio: ['ignore', full, full, 'ipc'] })
    const one = await startQuietServe(['--log', 'json'], { stdio: ['ignore', full, 'pipe', 'ipc'] })
    for (const { url } of [one, both])
      for (let round = 0; round < 2; round++)
        expect((await fetch(`${url}/plants`)).status).toBe(401)
    for (const { child } of [one, both]) child.kill('SIGTERM')
    expect(await one.ended).toMatchObject({ code: 0, stderr: `greenhouse-mock serve: ${whole}` })
    expect(await both.ended).toMatchObject({ code: 0, signal: null })
    expect(
      await startCommand(['openapi'], { stdio: ['ignore', full, 'pipe'] }).ended,
    ).toMatchObject({
      code: 2,
      stderr: `greenhouse-mock openapi: ${whole}`,
    })
  },
)

test.skipIf(lacks.sh)('a file that takes only the beginning is no success', async () => {
  const file = join(writeFolder({}), 'openapi.json')
  const words = `ulimit -f 16; exec "$0" "${command}" openapi > "${file}"`
  const { code, stderr } = await startProcess('sh', ['-c', words, process.execPath]).ended
  expect([code, stderr]).toEqual([
    2,
    'greenhouse-mock openapi: could not write to stdout: file too large\n',
  ])
  expect(readFileSync(file).length).toBeGreaterThan(0)
})

test.each(['assumptions', '--help'])(
  'a reader of %s that has gone away is no crash',
  async (word) => {
    const { child, ended } = startCommand([word])
    child.stdout!.destroy()
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  },
)

test('a server whose output nobody reads goes on until it is stopped', async () => {
  const { child, ended, url, stop } = await startQuietServe()
  child.stdout!.destroy()
  for (let round = 0; round < 2; round++) expect((await fetch(`${url}/plants`)).status).toBe(401)
  stop()
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
})
