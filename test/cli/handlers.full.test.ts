import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeFolder } from '../support/folder.ts'
import { lacks } from '../support/lacks.ts'
import { isAlive, startCommand, startServeProcess } from '../support/process.ts'

const unix = test.skipIf(lacks.signals)

/** A handler that writes a file and then never ends. */
function writeHandlers() {
  const text = `
    import { writeFileSync } from 'node:fs'
    import { http } from '${import.meta.resolve('msw')}'
    export const handlers = [
      http.get('*/plants/1', () => {
        writeFileSync(import.meta.dirname + '/busy', '')
        for (;;);
      }),
    ]`
  const folder = writeFolder({
    'handlers.mjs': text,
    'greenhouse.config.mjs':
      "import { handlers } from './handlers.mjs'\nexport default { handlers }",
  })
  return { folder, busy: join(folder, 'busy') }
}

/** Sends a signal to all processes of a group, as a terminal does on Ctrl-C. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  process.kill(-pid, signal)
}

async function startBusy(...words: string[]) {
  const { folder, busy } = writeHandlers()
  const running = await startServeProcess(words, { detached: true, cwd: folder })
  running.call('/plants/1').catch(() => undefined)
  await expect.poll(() => existsSync(busy)).toBe(true)
  return running
}

unix.each([
  ['SIGINT', ['--handlers', './handlers.mjs'], 'SIGKILL'],
  ['SIGTERM', ['--handlers', './handlers.mjs'], 'SIGKILL'],
  ['SIGINT', ['--config', 'greenhouse.config.mjs'], 'SIGKILL'],
  ['SIGHUP', ['--handlers', './handlers.mjs'], 'SIGKILL'],
] as const)(
  '%s ends a server that a handler of %j keeps busy, by %s',
  async (signal, words, expected) => {
    const { child, ended } = await startBusy(...words)
    signalGroup(child.pid!, signal)
    expect(await ended).toMatchObject({ code: null, signal: expected, stderr: '' })
  },
)

unix('a second Ctrl-C ends a busy server before one that got a single Ctrl-C', async () => {
  const [twice, once] = [
    await startBusy('--handlers', './handlers.mjs'),
    await startBusy('--handlers', './handlers.mjs'),
  ]
  for (const { child } of [once, twice]) signalGroup(child.pid!, 'SIGINT')
  await new Promise((resolve) => setTimeout(resolve, 200))
  signalGroup(twice.child.pid!, 'SIGINT')
  expect(await Promise.race([once.ended.then(() => 'once'), twice.ended.then(() => 'twice')])).toBe(
    'twice',
  )
  for (const { ended } of [once, twice]) expect(await ended).toMatchObject({ signal: 'SIGKILL' })
})

unix('one Ctrl-C ends a server with idle handlers as one without, with exit code 0', async () => {
  const { folder } = writeHandlers()
  const { child, ended, call } = await startServeProcess(['--handlers', './handlers.mjs'], {
    detached: true,
    cwd: folder,
  })
  expect((await call('/plants')).status).toBe(200)
  signalGroup(child.pid!, 'SIGINT')
  expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  await expect.poll(() => isAlive(-child.pid!)).toBe(false)
})

/** A command that keeps its server busy for ever, and takes no signal but SIGKILL. */
const stubborn = `
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
  fetch(process.env.PLANTS_BASE_URL + '/plants/1').catch(() => {})
  const timer = setInterval(() => {
    if (!require('node:fs').existsSync(process.argv[1])) return
    clearInterval(timer)
    setInterval(() => {}, 1_000)
    require('node:fs').writeFileSync(process.argv[2], process.pid + '.')
  }, 10)`

unix.each(['run', 'flip'])(
  '%s ends on Ctrl-C with its command while a handler is busy',
  async (command) => {
    const { folder, busy } = writeHandlers()
    const pidFile = join(folder, 'pid')
    const words = [
      command,
      '--handlers',
      './handlers.mjs',
      '--',
      process.execPath,
      '-e',
      stubborn,
      busy,
      pidFile,
    ]
    const { child, ended } = startCommand(words, { detached: true, cwd: folder })
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8')).toMatch(/\./)
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
    onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')))
    signalGroup(child.pid!, 'SIGINT')
    expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL' })
    await expect.poll(() => isAlive(pid)).toBe(false)
  },
)
