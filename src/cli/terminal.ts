import type { WriteStream } from 'node:tty'

/** What a command has of its surroundings: what it reads, writes and hears. `main.ts` makes it of the process. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv
  /** Where a keyboard is, its Ctrl-C reaches every program in the foreground. */
  readonly stdin: { readonly isTTY?: boolean }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** Tells of SIGINT, SIGTERM and SIGHUP, and, in a process of the command's own, of errors that nobody caught. */
  readonly signals: Signals
  /** What a command that this one runs gets: the streams of the process. Without it what that prints is copied to the streams above. */
  readonly stdio?: 'inherit'
  /** Ends the command with a code at once, whatever is still open. */
  exit(code: number): void
  /** Is told what to exit with when nothing is left to do before `exit` is called. */
  willExit?(code: number): void
  /** Is called once a server has started: what is good for a process of its own. */
  limitGarbage?(): Promise<void>
  /** The process that started this one, and ends it when it does not end by itself. */
  readonly supervisor?: Supervisor | undefined
}

/** What watches over a process that runs code of the user, which may keep it busy for ever. */
export interface Supervisor {
  /** Is told what `process.kill` ends with the process: a command that it runs. Returns what takes that back. */
  hold(target: number): () => void
  /** Runs a command, as `startCommand` does: it is passed signals, and its end is seen, also while the process is busy. @throws UsageError */
  startCommand(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number>
}

/** A stream of the process, or another one, which is no terminal. */
export type OutputStream = NodeJS.WritableStream & { readonly writableLength: number } & Partial<
    Pick<WriteStream, 'isTTY' | 'columns'>
  >

/** What tells of signals: `process`. */
export type Signals = Pick<NodeJS.EventEmitter, 'on' | 'off' | 'once'>
