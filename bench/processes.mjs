import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { exchange } from './http-message.mjs'

const running = new Set()
let node = process.execPath

/**
 * Runs Greenhouse and everything else that is Node with another one from here on. @param path an
 * executable
 */
export function useNode(path) {
  node = path
}

/**
 * Processor time that a process has taken so far, in microseconds; `undefined` where the system
 * does not tell: Linux does.
 */
export const processorTimeOf = ({ pid }) => readProcessorTime(pid, 11)

/**
 * @param field of the user's part: 11 for the process itself, 13 for its children that have ended,
 * and theirs
 */
function readProcessorTime(pid, field) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(field, field + 2)
      .map(Number)
    return (user + system) * microsecondsOfTick
  } catch {
    return undefined
  }
}

/** Linux counts a hundred ticks a second. */
const microsecondsOfTick = 10_000

process.on('exit', () => {
  for (const { child } of running) child.kill('SIGKILL')
})
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])
  process.on(signal, () => process.exit(code))

/** Ends every program that was started, and waits. */
export async function stopAll() {
  await Promise.all(Array.from(running, (program) => program.stop()))
}

/**
 * Starts a program. `stop()` ends it and waits; so does the end of this process, however it comes.
 */
export function start(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  return track(child, [command, ...args].join(' '))
}

/**
 * Starts a program and waits for its first line on stdout, which must be JSON. The rest of its
 * output is read and dropped.
 */
export async function startReady(args, options) {
  const program = start(node, args, options)
  const lines = createInterface({ input: program.child.stdout })
  const ready = JSON.parse(
    await untilReady(
      program,
      once(lines, 'line').then(([line]) => line),
    ),
  )
  lines.close()
  program.child.stdout.resume()
  return { ...program, ready }
}

/**
 * Runs Node with these arguments until it ends; gives its seconds, and those of processor time of
 * it and of all that it started.
 */
export async function runNode(args, options) {
  const [before, began] = [readProcessorTime(process.pid, 13), performance.now()]
  const program = start(node, args, options)
  program.child.stdout.resume()
  const [code] = await once(program.child, 'close')
  if (code !== 0) await program.ended
  const cost = (readProcessorTime(process.pid, 13) - before) / 1e6
  return { wall: (performance.now() - began) / 1_000, cost }
}

/** Starts a program on a free port and waits until it answers `request` with 200. */
export async function startOnPort(command, toArgs, request, options) {
  const port = await findFreePort()
  const program = start(command, toArgs(String(port)), options)
  program.child.stdout.resume()
  await untilReady(program, untilAnswered(port, request, program))
  return { ...program, port }
}

/** The same with Node and its arguments. */
export const startNodeOnPort = (toArgs, request, options) =>
  startOnPort(node, toArgs, request, options)

/**
 * Starts a module of `workers/`; `call(name, input)` runs one of its functions and waits for the
 * result, one at a time.
 */
export function startWorker(file, execArgv = []) {
  const child = fork(fileURLToPath(new URL(`workers/${file}`, import.meta.url)), {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execPath: node,
    execArgv,
  })
  const worker = track(child, file)
  return {
    ...worker,
    async call(name, input) {
      child.send({ name, input })
      const { result, error } = await Promise.race([
        once(child, 'message').then(([message]) => message),
        worker.ended,
      ])
      if (error) throw new Error(error)
      return result
    },
  }
}

function track(child, title) {
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (errors = (errors + text).slice(-2_000)))
  const exited = new Promise((resolve) => {
    child.once('error', resolve)
    child.once('close', () => resolve())
  }).then((error) => {
    running.delete(program)
    return error
  })
  const ended = exited.then((error) => {
    throw new Error(
      `"${title}" ended too early: ${error?.message ?? (errors.trim() || `exit code ${child.exitCode ?? child.signalCode}`)}`,
    )
  })
  ended.catch(() => {})
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
  }
  const program = { child, ended, stop }
  running.add(program)
  return program
}

async function untilReady(program, ready) {
  const timer = setTimeout(() => program.child.kill('SIGKILL'), 60_000)
  try {
    return await Promise.race([ready, program.ended])
  } catch (error) {
    await program.stop()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function untilAnswered(port, request, { child }) {
  while (child.exitCode === null && child.signalCode === null) {
    const reply = await exchange(port, request).catch(() => undefined)
    if (reply?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await new Promise(() => {})
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
