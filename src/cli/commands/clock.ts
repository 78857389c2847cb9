import type { CommandModule } from 'yargs'
import type { ArgumentsOf } from '../flags.ts'
import type { ClockState, DueSummary } from '../../control/answers.ts'
import { print } from '../print.ts'
import { jsonFlag, serverFlags, toTarget } from '../server-flags.ts'
import { toTable } from '../table.ts'
import { withFlags } from '../yargs-flags.ts'

const flags = { ...serverFlags, ...jsonFlag }

type ClockArguments = ArgumentsOf<typeof flags>

export const clockCommand: CommandModule<object, ClockArguments> = {
  command: 'clock',
  describe: 'Show, move, stop or start the clock of a running server',
  builder: (args) =>
    withFlags(args, flags)
      .command(nowCommand)
      .command(advanceCommand)
      .command(setCommand)
      .command(freezeCommand)
      .command(unfreezeCommand)
      .command(dueCommand)
      .command(nextCommand)
      .example('$0 clock advance 2h', 'Do what is due in the next two hours: retries, renewals, windows')
      .example('$0 clock set 2026-01-31T12:00:00Z', 'Go to a time; a frozen clock stays frozen'),
  handler: () => undefined,
}

const nowCommand: CommandModule<ClockArguments, ClockArguments> = {
  command: ['now', '$0'],
  describe: 'Show the time, and whether the clock is stopped',
  handler: async (args) => tell(args, await read(args)),
}

const advanceCommand: CommandModule<ClockArguments, ClockArguments & { duration: string }> = {
  command: 'advance <duration>',
  describe: 'Advance the clock by a duration: 90s, 2h, 1d',
  builder: (args) => args.positional('duration', { type: 'string', demandOption: true }),
  handler: async ({ duration, ...args }) => tell(args, await change(args, { advance: duration })),
}

const setCommand: CommandModule<ClockArguments, ClockArguments & { time: string }> = {
  command: 'set <time>',
  describe: 'Set the clock to a time in ISO 8601',
  builder: (args) => args.positional('time', { type: 'string', demandOption: true }),
  handler: async ({ time, ...args }) => tell(args, await change(args, { now: time })),
}

const freezeCommand: CommandModule<ClockArguments, ClockArguments> = {
  command: 'freeze',
  describe: 'Stop the clock',
  handler: async (args) => tell(args, await change(args, { frozen: true })),
}

const unfreezeCommand: CommandModule<ClockArguments, ClockArguments> = {
  command: 'unfreeze',
  describe: 'Start a stopped clock',
  handler: async (args) => tell(args, await change(args, { frozen: false })),
}

const dueCommand: CommandModule<ClockArguments, ClockArguments> = {
  command: 'due',
  describe: 'List what happens next, soonest first',
  handler: async (args) => {
    const { createControlClient } = await import('../control-client.ts')
    const due = await createControlClient(toTarget(args)).call('GET /worlds/{world}/due')
    if (args.json) return (await import('../print-json.ts')).printJson(due)
    print(due.data.length === 0 ? 'Nothing falls due.\n' : toDueTable(due.data))
  },
}

const nextCommand: CommandModule<ClockArguments, ClockArguments> = {
  command: 'next',
  describe: 'Move the clock to what happens next',
  handler: async (args) => {
    const { createControlClient } = await import('../control-client.ts')
    const work = await createControlClient(toTarget(args)).call('POST /worlds/{world}/due/next')
    if (args.json) return (await import('../print-json.ts')).printJson(work)
    await tell(args, work.clock)
    print(work.done.length === 0 ? 'Nothing falls due.\n' : toDueTable(work.done))
  },
}

function toDueTable(due: readonly DueSummary[]): string {
  return toTable([['AT', 'KIND', 'WHAT'], ...due.map(({ at, kind, title }) => [at, kind, title])])
}

async function read(args: ClockArguments): Promise<ClockState> {
  const { createControlClient } = await import('../control-client.ts')
  return createControlClient(toTarget(args)).call('GET /worlds/{world}/clock')
}

async function change(args: ClockArguments, body: object): Promise<ClockState> {
  const { createControlClient } = await import('../control-client.ts')
  return createControlClient(toTarget(args)).call('PATCH /worlds/{world}/clock', { body })
}

async function tell({ json }: Pick<ClockArguments, 'json'>, clock: ClockState): Promise<void> {
  if (json) (await import('../print-json.ts')).printJson(clock)
  else print(`${clock.now}${clock.frozen ? ', frozen' : ''}\n`)
}
