import type { Readable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { formatWithOptions, getSystemErrorMap } from 'node:util'
import { toReason } from '../core/contract/errors.ts'
import { toJson } from '../core/http/json.ts'
import { toVisibleJson, toVisibleLines } from '../core/text/messages.ts'
import { nextTurn } from '../core/time/system-time.ts'
import type { ConfigFile } from '../files/read-config.ts'

interface WithStdout {
  readonly stdout: OutputStream
}

interface WithStderr {
  readonly stderr: OutputStream
}

export interface Terminal extends WithStdout, WithStderr {
  readonly env: NodeJS.ProcessEnv
  readonly given?: readonly string[]
  readonly config?: ConfigFile
  /** If it is a terminal, Ctrl-C reaches every program in the foreground. */
  readonly stdin: {
    readonly isTTY?: boolean
    readonly stream?: Readable
  }
  readonly signals: Pick<NodeJS.EventEmitter, 'on' | 'off' | 'once'>
  /**
   * The streams of a child command: those of the process. Without it, its output is copied to
   * `stdout` and `stderr`.
   */
  readonly stdio?: 'inherit'
  exit(code: number): void
  /** Sets the exit code for a process that ends by itself before `exit` is called. */
  willExit?(code: number): void
  limitGarbage?(): Promise<void>
  /** Lets Ctrl-C end the process from now on even if the user's code keeps it busy. */
  startGuard?(): Promise<void>
}

export type OutputStream = NodeJS.WritableStream & { readonly writableLength: number } & Partial<
    Pick<WriteStream, 'isTTY' | 'columns'>
  >

/** Prints text that may quote files, requests and replies, without terminal escape sequences. */
export function print({ stdout }: WithStdout, text: string) {
  stdout.write(toVisibleLines(text))
}

export function printError({ stderr }: WithStderr, text: string) {
  stderr.write((showing.delete(stderr) ? clearLine : '') + toVisibleLines(text))
}

const clearLine = '\r\u001b[K'
/** The terminals that show a status line, which what is printed next replaces. */
const showing = new WeakSet<OutputStream>()

/**
 * Returns a function that shows a line on a terminal, instead of the former one; elsewhere it shows
 * nothing.
 */
export function createStatusLine({ stderr }: WithStderr): (text: string) => void {
  return (text) => {
    if (!stderr.isTTY) return
    stderr.write(clearLine + toVisibleLines(text).slice(0, (stderr.columns || 80) - 1))
    showing.add(stderr)
  }
}

export function printJson({ stdout }: WithStdout, value: unknown, isIndented = false) {
  const lines = isIndented ? JSON.stringify(value, null, 2).split('\n') : [toJson(value)]
  printAsIs(stdout, lines.map(toVisibleJson).join('\n') + '\n')
}

/**
 * Prints what is made for a terminal or a CI to act on: colours, commands. @returns false while the
 * reader is slow
 */
export function printAsIs(stream: OutputStream, text: string): boolean {
  return stream.write(text)
}

const methods = ['error', 'warn'] as const

const guards = new Set<(text: string) => void>()
let original: Pick<Console, (typeof methods)[number]> | undefined

export function guardConsole(terminal: Terminal, redact: (text: string) => string): () => void {
  const guard = (text: string) => printError(terminal, redact(text))
  guards.add(guard)
  if (original === undefined) {
    original = {
      error: console.error,
      warn: console.warn,
    }
    for (const name of methods)
      console[name] = (...values: unknown[]) =>
        [...guards].at(-1)?.(formatWithOptions({ colors: false }, ...values) + '\n')
  }
  return () => {
    guards.delete(guard)
    if (guards.size > 0 || original === undefined) return
    Object.assign(console, original)
    original = undefined
  }
}

const notPrinted = 2

/** How a system says that the reader of a pipe is gone. */
const codesOfNoReader = process.platform === 'win32' ? ['EPIPE', 'EAGAIN', 'EOF'] : ['EPIPE']

const brokenOutputs = new WeakSet<OutputStream>()

/**
 * Reports once on stderr that stdout cannot be written: the disk is full, the terminal is gone. A
 * closed pipe (`| head -1`) needs no report, and a broken stderr cannot have one. Later output is
 * dropped. @param name of the command: `greenhouse-mock openapi`
 */
export function reportWriteErrors({ stdout, stderr }: WithStdout & WithStderr, name: string) {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (codesOfNoReader.includes(error.code ?? '') || brokenOutputs.has(stdout)) return
    brokenOutputs.add(stdout)
    printError({ stderr }, `${name}: could not write to stdout: ${toSystemReason(error)}\n`)
  })
  stderr.on('error', () => undefined)
}

export async function exitCodeAfterFlush({ stdout }: WithStdout, code: number): Promise<number> {
  // A failed write is reported in the next turn.
  await nextTurn()
  if (code === 0 && brokenOutputs.has(stdout)) return notPrinted
  return code
}

export function toSystemReason(error: unknown): string {
  const { errno } = error as NodeJS.ErrnoException
  return (errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1]) ?? toReason(error)
}

export class UsageError extends Error {
  override name = 'UsageError'
  readonly code: number

  constructor(message: string, code = 2) {
    super(message)
    this.code = code
  }
}

/** A check or the user's command failed; the reason is already printed. */
export class FailedCheck extends Error {
  override name = 'FailedCheck'
  readonly code: number

  constructor(code = 1) {
    super()
    this.code = code
  }
}

/** @throws FailedCheck for another exit code than 0 */
export function assertPassed(code: number) {
  if (code !== 0) throw new FailedCheck(code)
}

export const runCodes = {
  coverage: 3,
  failOn: 4,
}

export function toExitCode(error: unknown): number {
  if (error instanceof FailedCheck || error instanceof UsageError) return error.code
  return 2
}

export function codeAfter(terminal: Terminal, code: number, work: () => void): number {
  try {
    work()
    return code
  } catch (error) {
    reportError(terminal, error)
    return code || toExitCode(error)
  }
}

export function reportError(terminal: Terminal, error: unknown) {
  if (error instanceof FailedCheck) return
  printError(terminal, `${toReason(error)}\n`)
  if (error instanceof UsageError)
    printError(terminal, 'See greenhouse-mock --help, or greenhouse-mock <command> --help.\n')
}
