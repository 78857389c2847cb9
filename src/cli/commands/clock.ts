import { type Command, toYargsCommand, withFlags } from '../command.ts'
import { connect } from '../connect.ts'
import * as values from '../flags/values.ts'
import type { ArgumentsOf } from '../flags/flags.ts'
import type { ClockSummary, DueSummary } from '../../control/answers.ts'
import { print, printJson } from '../output/print.ts'
import { callFlags } from '../flags/server.ts'
import { toTable } from '../output/table.ts'
import type { Terminal } from '../terminal.ts'

type ClockArguments = ArgumentsOf<typeof callFlags>

export const clockCommand: Command<ClockArguments> = {
  command: 'clock',
  describe: 'Show, move, stop or start the clock of a running server',
  builder: (args, terminal) =>
    withFlags(args, callFlags, terminal)
      .command(toYargsCommand(terminal, nowCommand))
      .command(toYargsCommand(terminal, advanceCommand))
      .command(toYargsCommand(terminal, setCommand))
      .command(toYargsCommand(terminal, freezeCommand))
      .command(toYargsCommand(terminal, unfreezeCommand))
      .command(toYargsCommand(terminal, dueCommand))
      .command(toYargsCommand(terminal, nextCommand))
      .example('$0 clock advance 2h', 'Run what is due in the next two hours: retries, renewals, windows')
      .example('$0 clock set 2026-01-31T12:00:00Z', 'Go to a time; a frozen clock stays frozen'),
  handler: () => undefined,
}

const nowCommand: Command<ClockArguments> = {
  command: ['now', '$0'],
  describe: 'Show the time, and whether the clock is stopped',
  handler: (args, terminal) => callClock(args, terminal),
}

const advanceCommand: Command<ClockArguments & { duration: string }> = {
  command: 'advance <duration>',
  describe: 'Advance the clock by a duration: 90s, 2h, 1d',
  builder: (args) => args.positional('duration', { type: 'string', demandOption: true }),
  handler: ({ duration, ...args }, terminal) => callClock(args, terminal, { advance: duration }),
}

const setCommand: Command<ClockArguments & { time: string }> = {
  command: 'set <time>',
  describe: 'Set the clock to a time in ISO 8601',
  builder: (args) => args.positional('time', { type: 'string', demandOption: true }),
  handler: ({ time, ...args }, terminal) => callClock(args, terminal, { now: time }),
}

const freezeCommand: Command<ClockArguments> = {
  command: 'freeze',
  describe: 'Stop the clock',
  handler: (args, terminal) => callClock(args, terminal, { frozen: true }),
}

const unfreezeCommand: Command<ClockArguments> = {
  command: 'unfreeze',
  describe: 'Start a stopped clock',
  handler: (args, terminal) => callClock(args, terminal, { frozen: false }),
}

const dueFlags = {
  limit: { value: values.nonNegativeInteger, describe: 'How many to list: 100 by default, at most 1000' },
}

const dueCommand: Command<ClockArguments & ArgumentsOf<typeof dueFlags>> = {
  command: 'due',
  describe: 'List what happens next, soonest first',
  builder: (args, terminal) => withFlags(args, dueFlags, terminal),
  handler: async ({ limit, ...args }, terminal) => {
    const client = await connect(args, terminal)
    const due = await client.call('GET /worlds/{world}/due', { query: { limit } })
    if (args.json) return printJson(terminal, due)
    print(terminal, due.data.length === 0 ? 'Nothing is scheduled.\n' : toDueTable(due.data, terminal.stdout.columns))
  },
}

const nextCommand: Command<ClockArguments> = {
  command: 'next',
  describe: 'Move the clock to what happens next',
  handler: async (args, terminal) => {
    const client = await connect(args, terminal)
    const work = await client.call('POST /worlds/{world}/due/next')
    if (args.json) return printJson(terminal, work)
    await printClock(args, terminal, work.clock)
    print(terminal, work.done.length === 0 ? 'Nothing is scheduled.\n' : toDueTable(work.done, terminal.stdout.columns))
  },
}

function toDueTable(due: readonly DueSummary[], width: number | undefined): string {
  return toTable([['AT', 'KIND', 'WHAT'], ...due.map(({ at, kind, title }) => [at, kind, title])], width)
}

async function callClock(args: ClockArguments, terminal: Terminal, changes?: object): Promise<void> {
  const client = await connect(args, terminal)
  const clock = changes
    ? await client.call('PATCH /worlds/{world}/clock', { body: changes })
    : await client.call('GET /worlds/{world}/clock')
  await printClock(args, terminal, clock)
}

async function printClock(
  { json }: Pick<ClockArguments, 'json'>,
  terminal: Terminal,
  clock: ClockSummary,
): Promise<void> {
  if (json) printJson(terminal, clock)
  else print(terminal, `${clock.now}${clock.frozen ? ', frozen' : ''}\n`)
}
