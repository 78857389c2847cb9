import { defineCommand } from '../command.ts'
import { UsageError } from '../errors.ts'
import { logFlags } from '../flags/log.ts'

export const logCommand = defineCommand({
  command: 'log',
  describe: 'Print the requests that a running server answered',
  flags: logFlags,
  aliases: { f: 'follow' },
  examples: [
    ['log --follow --errors', 'Watch what goes wrong'],
    ['log --status 429 --json', 'Whole entries, for jq'],
  ],
  epilogue: 'Times are those of the world. --follow ends with 0 on Ctrl-C, and with 1 when the server goes away.',
  async run(args, terminal) {
    if (args.allWorlds && args.world !== undefined)
      throw new UsageError('--world and --all-worlds exclude each other: use one of them.')
    if (args.wait && !args.follow)
      throw new UsageError('--wait works only with --follow: add --follow, or leave out --wait.')
    const { followLog, showLog } = await import('./print-log.ts')
    await (args.follow ? followLog : showLog)(args, terminal)
  },
})
