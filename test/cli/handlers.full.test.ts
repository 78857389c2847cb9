import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeFolder } from '../support/folder.ts'
import { isAlive, startCommand, startServeProcess } from '../support/process.ts'

const unix = test.skipIf(process.platform === 'win32')

/** Handlers: one writes its process id to the file `busy` and never ends; another one returns that id. */
function writeHandlers() {
  const text = `
    import { renameSync, writeFileSync } from 'node:fs'
    import { http, HttpResponse } from '${import.meta.resolve('msw')}'
    export const handlers = [
      http.get('*/plants/1', () => {
        writeFileSync(import.meta.dirname + '/pid', String(process.pid))
        renameSync(import.meta.dirname + '/pid', import.meta.dirname + '/busy')
        for (;;);
      }),
      http.get('*/plants/2', () => HttpResponse.json(process.pid)),
    ]`
  const folder = writeFolder({ 'handlers.mjs': text })
  const busy = join(folder, 'busy')
  onTestFinished(() => {
    if (existsSync(busy)) end(Number(readFileSync(busy, 'utf8')))
  })
  return { handlers: join(folder, 'handlers.mjs'), busy }
}

function end(pid: number): void {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL')
}

async function startIdle() {
  const { handlers, busy } = writeHandlers()
  const running = await startServeProcess(['--handlers', handlers], { detached: true })
  const pid = (await (await running.call('/plants/2')).json()) as number
  onTestFinished(() => end(pid))
  return { ...running, pid, busy }
}

async function startBusy() {
  const running = await startIdle()
  running.call('/plants/1').catch(() => undefined)
  await expect.poll(() => existsSync(running.busy)).toBe(true)
  return running
}

/** A command that keeps its server busy for ever, and does something once it is. */
const toScript = (then: string) => `
  fetch(process.env.PLANTS_BASE_URL + '/plants/1').catch(() => {})
  const timer = setInterval(() => {
    if (!require('node:fs').existsSync(process.argv[1])) return
    clearInterval(timer)
    ${then}
  }, 10)`

unix.each([
  ['SIGINT', { code: 0, signal: null }],
  ['SIGTERM', { code: 0, signal: null }],
  // Nobody listens to it, so it ends the server as it ends any process.
  ['SIGHUP', { code: null, signal: 'SIGHUP' }],
] as const)('a server that a handler keeps busy ends after %s: %j', async (signal, expected) => {
  const { pid, stop } = await startBusy()
  expect(await stop(signal)).toMatchObject({ ...expected, stderr: '' })
  expect(isAlive(pid)).toBe(false)
})

unix('a second signal ends it at once', async () => {
  const { pid, kill, ended } = await startBusy()
  kill('SIGINT')
  kill('SIGTERM')
  // The system decides which of two waiting signals comes first.
  expect(await ended).toMatchObject({ code: expect.toBeOneOf([130, 143]), signal: null, stderr: '' })
  expect(isAlive(pid)).toBe(false)
})

unix('a signal to all its processes is one signal, and so is one to that with the handlers alone', async () => {
  for (const toTarget of [(group: number) => -group, (_: number, pid: number) => pid]) {
    const { child, pid, ended } = await startIdle()
    process.kill(toTarget(child.pid!, pid), 'SIGTERM')
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  }
})

unix('a server ends when the process that was started is killed', async () => {
  const { child, pid, ended } = await startIdle()
  child.kill('SIGKILL')
  await ended
  await expect.poll(() => isAlive(pid)).toBe(false)
})

/** Starts a command of ours that runs a script, which gets the path that shows that a handler is busy. */
function startWithScript(command: string, script: string, ...words: string[]) {
  const { handlers, busy } = writeHandlers()
  const all = [command, '--handlers', handlers, '--', process.execPath, '-e', script, busy, ...words]
  return { ...startCommand(all), busy }
}

unix('run ends with its command while a handler is busy', async () => {
  const { busy, ended } = startWithScript('run', toScript('process.exit(7)'))
  expect(await ended).toMatchObject({ code: 7, signal: null, stderr: '' })
  expect(isAlive(Number(readFileSync(busy, 'utf8')))).toBe(false)
})

unix('run passes a signal on to its command while a handler is busy', async () => {
  const then = `process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1_000); console.log(process.pid)`
  const { child, output, ended } = startWithScript('run', toScript(then))
  while (!output.stdout.includes('\n')) await once(child.stdout!, 'data')
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 5, signal: null, stderr: '' })
  expect(isAlive(Number(output.stdout))).toBe(false)
})

unix('run reports a command that can not be started', async () => {
  const { handlers } = writeHandlers()
  const { code, stderr } = await startCommand(['run', '--handlers', handlers, '--', 'no-such-command-here']).ended
  expect([code, stderr]).toEqual([127, expect.stringMatching(/^Failed to run "no-such-command-here": .*\nSee .*\n$/)])
})

unix('flip ends, with the command that it runs, while a handler is busy', async () => {
  const stubborn = join(writeFolder({}), 'pid')
  const script = toScript(`
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
    setInterval(() => {}, 1_000)
    require('node:fs').writeFileSync(process.argv[2], process.pid + '.')`)
  const { child, ended } = startWithScript('flip', script, stubborn)
  await expect.poll(() => existsSync(stubborn) && readFileSync(stubborn, 'utf8')).toMatch(/\./)
  const pid = Number.parseInt(readFileSync(stubborn, 'utf8'), 10)
  onTestFinished(() => end(pid))
  child.kill('SIGINT')
  child.kill('SIGTERM')
  const { code, signal } = await ended
  // The system may hand out two signals of one moment in any order.
  expect([[130, 143].includes(code!), signal]).toEqual([true, null])
  await expect.poll(() => isAlive(pid)).toBe(false)
})
