import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { lacks } from './lacks.ts'
import { createFetcher } from './test-api.ts'

export const command = resolve('dist/greenhouse.cjs')

const tellPort = new URL('tell-port.mjs', import.meta.url).href

/**
 * Starts `greenhouse` in a process of its own, for what is a process's: its signals, pipes and end.
 * It does not outlive the test.
 */
export function startCommand(args: readonly string[], options: SpawnOptions = {}) {
  return startProcess(process.execPath, [command, ...args], options)
}

export function startProcess(program: string, args: readonly string[], options: SpawnOptions = {}) {
  const { env = process.env, ...rest } = options
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...rest,
    env: withoutOurs(env),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (chunk) => (output[name] += chunk))
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal, ...output }))
  return { child, output, ended }
}

export async function startServeProcess(
  args: readonly string[] = [],
  options: SpawnOptions = {},
  port = 0,
) {
  const { child, output, ended } = startCommand(
    ['serve', '--port', String(port), '--log', 'json', ...args],
    options,
  )
  const ready = JSON.parse(await firstLine(child, output, ended)) as Ready
  const kill = (signal: NodeJS.Signals) => void child.kill(signal)
  return { child, output, ended, kill, ...toServed(ready, { kill, ended }) }
}

export async function firstLine(
  child: ChildProcess,
  output: { stdout: string; stderr: string },
  ended: Promise<Ended>,
): Promise<string> {
  for (;;) {
    const line = /^\{.*\n/m.exec(output.stdout)
    if (line) return line[0]
    const over = await Promise.race([
      once(child.stdout!, 'data').then(() => false),
      ended.then(() => true),
    ])
    if (over) throw new Error(`The process ended early: ${output.stdout}${output.stderr}`)
  }
}

/**
 * Starts `greenhouse-mock serve` on a free port that its process tells by itself, so that its
 * output can be anything; waits until it listens.
 */
export async function startQuietServe(args: readonly string[] = [], options: SpawnOptions = {}) {
  const { child, output, ended } = startProcess(
    process.execPath,
    ['--import', tellPort, command, 'serve', '--port', '0', ...args],
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], ...options },
  )
  const told = once(child, 'message').then(([message]) => message as { port: number })
  const over = ended.then(({ stdout, stderr }) =>
    Promise.reject(new Error(`The process ended early: ${stdout}${stderr}`)),
  )
  over.catch(() => undefined)
  const { port } = await Promise.race([told, over])
  const stop = () => (lacks.signals ? child.send('SIGTERM') : child.kill('SIGTERM'))
  return { child, output, ended, stop, url: `http://127.0.0.1:${port}` }
}

/** Whether a process runs; one that ended but was not reaped does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !(
      process.platform === 'linux' &&
      pid > 0 &&
      / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    )
  } catch {
    return false
  }
}

/** An environment without what is for these tests: the command takes it for a slip. */
export function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GREENHOUSE_(TEST|SOAK|NODES)/.test(name)),
  )
}

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** The first line of `serve --log json`. */
export interface Ready {
  event: string
  plants_url: string
  apps_url: string
  panel_url: string
  keys: Record<string, { plan: string; account: string; note?: string }>
  scenarios: string[]
}

export function toServed(
  ready: Ready,
  { kill, ended }: { kill: (signal: NodeJS.Signals) => void; ended: Promise<Ended> },
) {
  return {
    ready,
    stop(signal: NodeJS.Signals = 'SIGTERM') {
      kill(signal)
      return ended
    },
    call: createFetcher(ready.plants_url),
  }
}
