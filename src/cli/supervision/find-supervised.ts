/** The commands that take `--handlers`. */
const commands = ['serve', 'run', 'flip'] as const

/**
 * The command of a process that is to be supervised: one that loads code of the user, as far as its words tell. Not on Windows,
 * which has no signals; nor with a debugger, which attaches to one process; nor in one that the process that started it talks to.
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
