import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'
import { after, monotonicNow } from '../../core/time/clock.ts'
import type { CommandRun, FailureFinder } from '../../contract/flip/index.ts'
import { toExitCode } from './child.ts'
import { gracePeriod } from './shutdown.ts'
import { endWithProcess, spawnCommand, toStartError } from './spawn-command.ts'
import type { Supervisor } from '../terminal.ts'

const maxOutput = 65_536

const longestLine = 4_096

/** The maximum time to read the pipes of an ended command, in milliseconds. */
const drainTime = 200

export interface CaptureOptions {
  readonly env: NodeJS.ProcessEnv
  readonly finder: FailureFinder
  /** The timeout in milliseconds; none by default. */
  readonly timeout?: number | undefined
  readonly signal: AbortSignal
  readonly supervisor?: Supervisor | undefined
}

/** Runs a command without input and captures its output. Processes that it leaves behind end with it. @throws UsageError if it cannot be started. */
export async function runCaptured(words: readonly string[], options: CaptureOptions): Promise<CommandRun> {
  const { env, finder, timeout, signal, supervisor } = options
  const began = monotonicNow()
  const command = spawnCommand(words, { env, stdio: ['ignore', 'pipe', 'pipe'], ownGroup: true })
  const { child, kill } = command
  const forget = endWithProcess(command, supervisor)
  let output = ''
  const ends = [child.stdout!, child.stderr!].map((stream) => {
    const lines = createLineReader((line) => finder.read(stripVTControlCharacters(line)))
    const decoder = new StringDecoder()
    stream.on('data', (chunk: Buffer) => {
      const text = decoder.write(chunk)
      output += text
      if (output.length > 2 * maxOutput) output = output.slice(-maxOutput)
      lines.write(text)
    })
    return lines.end
  })
  let hasHung = false
  let stopTimer = () => {}
  const end = () => {
    kill('SIGTERM')
    stopTimer()
    stopTimer = after(gracePeriod, () => kill('SIGKILL'))
  }
  if (timeout !== undefined)
    stopTimer = after(timeout, () => {
      hasHung = true
      end()
    })
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => reject(toStartError(words, error)))
      child.once('exit', (status, ended) => resolve(toExitCode(status, ended)))
    })
    const ms = monotonicNow() - began
    await Promise.race([closed, new Promise<void>((resolve) => void after(drainTime, resolve))])
    for (const finish of ends) finish()
    return { code, ms, hasHung, line: finder.line, output: stripVTControlCharacters(output.slice(-maxOutput)) }
  } finally {
    stopTimer()
    signal.removeEventListener('abort', end)
    kill('SIGKILL')
    forget()
    for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  }
}

function createLineReader(read: (line: string) => void) {
  let rest = ''
  return {
    write(text: string): void {
      const lines = text.split('\n')
      lines[0] = rest + lines[0]
      rest = lines.pop()!.slice(0, longestLine)
      for (const line of lines) read(line.slice(0, longestLine))
    },
    end(): void {
      if (rest !== '') read(rest)
      rest = ''
    },
  }
}
