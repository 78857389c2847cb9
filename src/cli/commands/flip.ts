import type { Command } from '../command.ts'
import { UsageError } from '../errors.ts'
import * as values from '../flag-values.ts'
import type { ArgumentsOf, Flags } from '../flags.ts'
import { serveFlags } from '../serve-flags.ts'
import { variablesEpilogue } from '../variables.ts'
import { withFlags } from '../yargs-flags.ts'

// Every run has a server of its own that starts anew: there is nothing to reload, and no log to read among so many.
const { watch: _, log: __, ...servingFlags } = serveFlags({ port: 0, log: 'silent' })

const flags = {
  ...servingFlags,
  only: { each: values.assumptions, describe: 'Assumption to flip: an id, or a glob such as plants.*; default: all' },
  all: { isOn: false, describe: 'Also run variants of assumptions that nothing reads' },
  parallel: {
    value: values.count,
    describe: 'How many variants run at once, each with its own server',
    default: 1,
  },
  timeout: {
    value: values.duration,
    describe: 'How long the command may take in a variant; default: 10 times the first run plus 10 s',
  },
  report: {
    value: values.report,
    describe: 'Format of the report: table, json, junit or md',
    default: 'table' as const,
  },
} satisfies Flags

/** What the flags give. */
export type FlipArguments = ArgumentsOf<typeof flags>

export const flipCommand: Command<FlipArguments & { '--'?: string[] }> = {
  command: 'flip',
  describe: 'Find the assumptions that your tests depend on: greenhouse-mock flip [options] -- COMMAND',
  builder: (args, terminal) =>
    withFlags(args, flags, terminal.env)
      .parserConfiguration({ 'populate--': true })
      .example('$0 flip -- npx vitest run', 'Run tests once as they are, then once in each variant')
      .example("$0 flip --only 'plants.*' --parallel 4 -- npm test", 'Flip some assumptions, four at once')
      .epilogue(
        'Sets the same variables as greenhouse-mock run. The report goes to stdout, progress to stderr. Exit codes: 0 no variant breaks the command, 1 one does, 2 wrong use, 130 and 143 stopped (with a partial report), other: the command fails without any change. ' +
          variablesEpilogue,
      ),
  handler: async ({ '--': words = [], ...args }, terminal) => {
    if (words.length === 0) throw new UsageError('Name the command to run after "--": greenhouse-mock flip -- npm test')
    if (args.port !== 0 && args.parallel > 1)
      throw new UsageError(
        '--port: variants that run at once need a port each. Leave out --port (or GREENHOUSE_PORT), or --parallel.',
      )
    const { flip } = await import('../flip.ts')
    await flip(words, args, terminal)
  },
}
