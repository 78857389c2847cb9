import { ControlError } from '../../control/call.ts'
import { defineCommand } from '../command.ts'
import { toFlagMessage } from '../flags/action.ts'
import { journalList, logFlags } from '../flags/log.ts'
import { UsageError } from '../terminal.ts'

export const logCommand = defineCommand({
  command: 'log',
  describe: 'Print the requests that a running server answered',
  flags: logFlags,
  examples: [
    ['log --follow --errors', 'Watch what goes wrong'],
    ['log --status 429 --json', 'Whole entries, for jq'],
  ],
  epilogue:
    'Times are those of the world. --follow ends with 0 on Ctrl-C, and with 1 when the server goes away.',
  async run(args, terminal) {
    if (args.allWorlds && terminal.given?.includes('world'))
      throw new UsageError('--world and --all-worlds exclude each other: use one of them.')
    if (args.wait && !args.follow)
      throw new UsageError('--wait works only with --follow: add --follow, or leave out --wait.')
    const { followLog, RequestLog, showLog } = await import('./print-log.ts')
    try {
      const log = new RequestLog(args, terminal)
      await (args.follow ? followLog : showLog)(log, args, terminal)
    } catch (error) {
      if (!(error instanceof ControlError)) throw error
      throw new UsageError(toFlagMessage(error, journalList))
    }
  },
})
