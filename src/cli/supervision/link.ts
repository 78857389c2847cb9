import type { Duplex } from 'node:stream'

/** What a supervised process tells its supervisor. */
export type Report =
  /** It listens to a signal from now on. */
  | { readonly listens: NodeJS.Signals }
  /** What `process.kill` ends with it, until it says otherwise. */
  | { readonly holds: number }
  | { readonly drops: number }
  /** The command to run. */
  | { readonly runs: readonly string[]; readonly env: NodeJS.ProcessEnv }

/** What the supervisor tells. */
export type Order =
  | { readonly signal: NodeJS.Signals }
  /** How the command ended, or why it can't be started. */
  | { readonly code: number }
  | { readonly problem: string }

/** The descriptor of the link in the supervised process. */
export const linkNumber = 3

/** The name that a supervised process is started with: it knows by it what it is. */
export const supervisedName = 'greenhouse (supervised)'

/** The signals that a supervisor passes on. */
export const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Sends what the other side reads with `onMessage`. */
export function send(link: Duplex, message: Report | Order): void {
  if (!link.destroyed) link.write(JSON.stringify(message) + '\n')
}

/** Reads what the other side sends, a message a line. That it went away is no error: `close` tells it. */
export function onMessage<Message extends Report | Order>(link: Duplex, read: (message: Message) => void): void {
  let rest = ''
  link.setEncoding('utf8')
  link.on('error', () => undefined)
  link.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) read(JSON.parse(line) as Message)
  })
}
