import { nonNegative } from '../../api/config/flag-value.ts'
import { defineCommand } from '../command.ts'
import type { DueSummary } from '../../control/actions/clock.ts'
import type { ClockSummary } from '../../control/shapes.ts'
import { connect } from '../control-client.ts'
import type { ArgumentsOf } from '../flags/flags.ts'
import { callFlags } from '../flags/server.ts'
import { print, printJson, type Terminal } from '../terminal.ts'
import { toTable } from '../output/table.ts'

type ClockArguments = ArgumentsOf<typeof callFlags>

const dueFlags = {
  limit: { value: nonNegative, describe: 'How many to list: 100 by default, at most 1000' },
}

export const clockCommand = defineCommand({
  command: 'clock',
  describe: 'Show, move, stop or start the clock of a running server',
  flags: callFlags,
  subcommands: [
    defineCommand({
      command: 'now',
      describe: 'Show the time, and whether the clock is stopped',
      isDefault: true,
      inherited: callFlags,
      run: (args, terminal) => callClock(args, terminal),
    }),
    defineCommand({
      command: 'advance <duration>',
      describe: 'Advance the clock by a duration: 90s, 2h, 1d',
      inherited: callFlags,
      run: ({ duration, ...args }, terminal) => callClock(args, terminal, { advance: duration }),
    }),
    defineCommand({
      command: 'set <time>',
      describe: 'Set the clock to a time in ISO 8601',
      inherited: callFlags,
      run: ({ time, ...args }, terminal) => callClock(args, terminal, { now: time }),
    }),
    defineCommand({
      command: 'freeze',
      describe: 'Stop the clock',
      inherited: callFlags,
      run: (args, terminal) => callClock(args, terminal, { frozen: true }),
    }),
    defineCommand({
      command: 'unfreeze',
      describe: 'Start a stopped clock',
      inherited: callFlags,
      run: (args, terminal) => callClock(args, terminal, { frozen: false }),
    }),
    defineCommand({
      command: 'due',
      describe: 'List what happens next, soonest first',
      flags: dueFlags,
      inherited: callFlags,
      async run({ limit, ...args }, terminal) {
        const due = await connect(args, terminal).call('GET /worlds/{world}/due', { query: { limit } })
        if (args.json) printJson(terminal, due)
        else printDue(due.data, terminal)
      },
    }),
    defineCommand({
      command: 'next',
      describe: 'Move the clock to what happens next',
      inherited: callFlags,
      async run(args, terminal) {
        const work = await connect(args, terminal).call('POST /worlds/{world}/due/next')
        if (args.json) return printJson(terminal, work)
        printClock(work.clock, terminal)
        printDue(work.done, terminal)
      },
    }),
  ],
  examples: [
    ['clock advance 2h', 'Run what is due in the next two hours: retries, renewals, windows'],
    ['clock set 2026-01-31T12:00:00Z', 'Go to a time; a frozen clock stays frozen'],
  ],
})

async function callClock(args: ClockArguments, terminal: Terminal, changes?: object): Promise<void> {
  const client = connect(args, terminal)
  const clock = changes
    ? await client.call('PATCH /worlds/{world}/clock', { body: changes })
    : await client.call('GET /worlds/{world}/clock')
  if (args.json) printJson(terminal, clock)
  else printClock(clock, terminal)
}

function printClock({ now, frozen }: ClockSummary, terminal: Terminal): void {
  print(terminal, `${now}${frozen ? ', frozen' : ''}\n`)
}

function printDue(due: readonly DueSummary[], terminal: Terminal): void {
  if (due.length === 0) return print(terminal, 'Nothing is scheduled.\n')
  const rows = due.map(({ at, kind, title }) => [at, kind, title])
  print(terminal, toTable([['AT', 'KIND', 'WHAT'], ...rows], terminal.stdout.columns))
}
