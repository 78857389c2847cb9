import type { WriteStream } from 'node:tty'
import type { ConfigFile } from '../files/read-config.ts'

/** The environment of a command: its streams, signals and exit. `main.ts` creates it from the process. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv
  /** The words of the command line, without `--config`. */
  readonly words?: readonly string[]
  /** The configuration file in force. */
  readonly config?: ConfigFile | undefined
  /** If it is a terminal, Ctrl-C reaches every program in the foreground. */
  readonly stdin: { readonly isTTY?: boolean }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** Emits SIGINT, SIGTERM and SIGHUP, and, for the real process, uncaught errors. */
  readonly signals: Signals
  /** The streams of a child command: those of the process. Without it, its output is copied to the streams above. */
  readonly stdio?: 'inherit'
  /** Ends the command with a code immediately. */
  exit(code: number): void
  /** Sets the exit code for a process that ends by itself before `exit` is called. */
  willExit?(code: number): void
  /** Called after a server has started: limits the garbage of the process. */
  limitGarbage?(): Promise<void>
  /** The supervisor, which ends this process if it does not end by itself. */
  readonly supervisor?: Supervisor | undefined
}

/** Supervises a process with the user's code, which may block it for ever. */
export interface Supervisor {
  /** Registers a child command, by its id for `process.kill`: the supervisor kills it with this process. Returns a function that removes it. */
  addChild(target: number): () => void
  /** Runs a command like `startCommand`; passes it signals, and sees its end, even while the process is busy. @throws UsageError */
  startCommand(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number>
}

export type OutputStream = NodeJS.WritableStream & { readonly writableLength: number } & Partial<
    Pick<WriteStream, 'isTTY' | 'columns'>
  >

/** The emitter of signals: `process`. */
type Signals = Pick<NodeJS.EventEmitter, 'on' | 'off' | 'once'>
