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
