import type { WriteStream } from 'node:tty'
import type { ConfigFile } from '../files/read-config.ts'

export interface Terminal {
  readonly env: NodeJS.ProcessEnv
  readonly words?: readonly string[]
  readonly config?: ConfigFile | undefined
  /** If it is a terminal, Ctrl-C reaches every program in the foreground. */
  readonly stdin: { readonly isTTY?: boolean }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly signals: Signals
  /** The streams of a child command: those of the process. Without it, its output is copied to the streams above. */
  readonly stdio?: 'inherit'
  exit(code: number): void
  /** Sets the exit code for a process that ends by itself before `exit` is called. */
  willExit?(code: number): void
  limitGarbage?(): Promise<void>
  readonly supervisor?: Supervisor | undefined
}

/** Supervises a process with the user's code, which may block it for ever. */
export interface Supervisor {
  addChild(target: number): () => void
  /** Runs a command like `startCommand`; passes it signals, and sees its end, even while the process is busy. @throws UsageError */
  startCommand(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number>
}

export type OutputStream = NodeJS.WritableStream & { readonly writableLength: number } & Partial<
    Pick<WriteStream, 'isTTY' | 'columns'>
  >

type Signals = Pick<NodeJS.EventEmitter, 'on' | 'off' | 'once'>
