import { EventEmitter, once } from 'node:events'
import { createRequire } from 'node:module'
import { Writable, type Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import type * as Main from '../../src/cli/main.ts'
import { toServed, withoutOurs, type Ended, type Ready } from './process.ts'

export type { Ended, Ready }

const require = createRequire(import.meta.url)

/** The command: as it is published, or its source with TEST_TARGET=src. */
const loadCommand = (): Promise<typeof Main> =>
  process.env['TEST_TARGET'] === 'src'
    ? import('../../src/cli/main.ts')
    : Promise.resolve(require('../../dist/cjs/main.cjs') as typeof Main)

export interface CommandOptions {
  /** That of this process without it. */
  readonly env?: NodeJS.ProcessEnv
  readonly isTTY?: boolean
  readonly columns?: number
  /** Error codes of writes: EPIPE for a closed pipe, ENOSPC for a full disk. */
  readonly fails?: { readonly stdout?: string; readonly stderr?: string }
  readonly file?: string
  /** Where it runs: relative paths of its words begin there. */
  readonly cwd?: string
  /** What it reads; without it, it has no stdin. */
  readonly stdin?: Readable
  /** Takes what it prints, as slowly as it likes. */
  readonly stdout?: Writable
}

export interface Running {
  readonly output: { readonly stdout: string; readonly stderr: string }
  readonly ended: Promise<Ended>
  kill(signal: NodeJS.Signals): void
  /** Waits until it has printed what fits, and gives that. @throws when it ends before. */
  untilPrinted(pattern: RegExp, name?: 'stdout' | 'stderr'): Promise<RegExpExecArray>
}

export function run(args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  return start(args, options).ended
}

/** Starts `greenhouse` in this process; it does not outlive the test. */
export function start(args: readonly string[], options: CommandOptions = {}): Running {
  const { env = process.env, isTTY, columns, fails = {}, file, cwd, stdin, stdout } = options
  const output = { stdout: '', stderr: '' }
  const signals = new EventEmitter()
  const printed = new EventEmitter()
  const open = (name: 'stdout' | 'stderr') => {
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        const code = fails[name]
        if (code !== undefined) return done(Object.assign(new Error(`write ${code}`), { code }))
        output[name] += chunk.toString()
        printed.emit('more')
        if (name === 'stdout' && stdout) stdout.write(chunk, () => done())
        else done()
      },
    })
    return Object.assign(stream, { isTTY, columns }) as Main.OutputStream
  }
  let isOver = false
  const runs = async (): Promise<Ended> => {
    const { runCommandLine } =
      file === undefined ? await loadCommand() : (require(file) as typeof Main)
    const former = process.cwd()
    if (cwd !== undefined) process.chdir(cwd)
    const code = await runCommandLine(args, {
      env: withoutOurs(env),
      stdin: { stream: stdin },
      stdout: open('stdout'),
      stderr: open('stderr'),
      signals,
    }).finally(() => cwd !== undefined && process.chdir(former))
    isOver = true
    printed.emit('more')
    return { code, signal: null, ...output }
  }
  const ended = runs()
  onTestFinished(async () => {
    const end = () => signals.emit('SIGTERM', 'SIGTERM')
    // One that is starting listens later.
    if (!end()) signals.once('newListener', () => queueMicrotask(end))
    await ended
  })
  return {
    output,
    ended,
    kill: (signal) => void signals.emit(signal, signal),
    async untilPrinted(pattern, name = 'stdout') {
      for (;;) {
        const found = pattern.exec(output[name])
        if (found) return found
        if (isOver) throw new Error(`It ended early: ${output.stdout}${output.stderr}`)
        await once(printed, 'more')
      }
    },
  }
}

export async function startServe(args: readonly string[] = [], options: CommandOptions = {}) {
  const running = start(['serve', '--port', '0', '--log', 'json', ...args], options)
  const [line] = await running.untilPrinted(/^\{.*\n/m)
  return { ...running, ...toServed(JSON.parse(line) as Ready, running) }
}

/** A port where nothing listens: no program uses it, and no system assigns it. */
export const nobody = 'http://127.0.0.1:4'
