import type { Duplex } from 'node:stream'

export type SupervisedMessage =
  | { readonly listens: NodeJS.Signals }
  /** An id for `process.kill`. The supervisor kills it too, until `drops` takes it back. */
  | { readonly holds: number }
  | { readonly drops: number }
  | { readonly runs: readonly string[]; readonly env: NodeJS.ProcessEnv }

export type SupervisorMessage =
  | { readonly signal: NodeJS.Signals }
  /** The command's exit code, and why it could not start. */
  | { readonly code: number; readonly problem?: string }

export const linkNumber = 3

export const supervisedName = 'greenhouse (supervised)'

export const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export function sendMessage(link: Duplex, message: SupervisedMessage | SupervisorMessage): void {
  if (!link.destroyed) link.write(JSON.stringify(message) + '\n')
}

export function onMessage<Message extends SupervisedMessage | SupervisorMessage>(
  link: Duplex,
  read: (message: Message) => void,
): void {
  let rest = ''
  link.setEncoding('utf8')
  link.on('error', () => undefined)
  link.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) read(JSON.parse(line) as Message)
  })
}
