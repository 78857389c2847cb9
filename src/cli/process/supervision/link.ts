import type { Duplex } from 'node:stream'

export type SupervisedMessage =
  | { readonly listens: NodeJS.Signals }
  /** An id for `process.kill`. The supervisor kills it too, until `drops` takes it back. */
  | { readonly holds: number }
  | { readonly drops: number }
  | { readonly runs: readonly string[]; readonly env: NodeJS.ProcessEnv }

export type SupervisorMessage =
  | { readonly signal: NodeJS.Signals }
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

const commands = ['serve', 'run', 'flip'] as const

/**
 * Returns the command to supervise: one that loads the user's code, judging by its arguments. Returns `undefined` on
 * Windows, which has no signals; with a debugger, which attaches to one process; and in a process with an IPC channel
 * to its parent.
 */
export function findSupervised({
  argv,
  env,
  execArgv,
  platform,
  send,
}: Pick<NodeJS.Process, 'argv' | 'env' | 'execArgv' | 'platform' | 'send'>): (typeof commands)[number] | undefined {
  const words = argv.slice(2)
  const end = words.indexOf('--')
  const own = end < 0 ? words : words.slice(0, end)
  if (!env['GREENHOUSE_HANDLERS'] && !own.some((word) => /^--handlers(=|$)/.test(word))) return undefined
  if (platform === 'win32' || send !== undefined || /--inspect/.test([env['NODE_OPTIONS'], ...execArgv].join(' ')))
    return undefined
  return commands.find((name) => own.includes(name))
}
