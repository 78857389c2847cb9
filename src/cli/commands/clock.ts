import type { CommandModule } from 'yargs'
import type { ArgumentsOf } from '../flags.ts'
import { print } from '../print.ts'
import { jsonFlag, serverFlags, toTarget } from '../server-flags.ts'
import { withFlags } from '../yargs-flags.ts'

const flags = { ...serverFlags, ...jsonFlag }

type ClockArguments = ArgumentsOf<typeof flags>

/** A clock as the control API shows it. */
interface ShownClock {
  readonly now: string
  readonly frozen: boolean
}

export const clockCommand: CommandModule<object, ClockArguments> = {
  command: 'clock',
  describe: "Show a world's clock in a running server, move it, stop it or let it run",
  builder: (args) =>
    withFlags(args, flags)
      .command(nowCommand)
      .command(advanceCommand)
      .command(setCommand)
      .command(freezeCommand)
      .command(unfreezeCommand)
      .example('$0 clock advance 2h', 'Do what is due in the next two hours: retries, renewals, windows')
      .example('$0 clock set 2026-01-31T12:00:00Z', 'Go to a time; a frozen clock stays frozen'),
  handler: () => undefined,
}

const nowCommand: CommandModule<ClockArguments, ClockArguments> = {
  command: ['now', '$0'],
  describe: 'Show the time, and whether it stands still',
  handler: async (args) => tell(args, await call(args, 'GET')),
}

const advanceCommand: CommandModule<ClockArguments, ClockArguments & { duration: string }> = {
  command: 'advance <duration>',
  describe: 'Move the clock on by a length of time: 90s, 2h, 1d',
  builder: (args) => args.positional('duration', { type: 'string', demandOption: true }),
  handler: async ({ duration, ...args }) => tell(args, await call(args, 'PATCH', { advance: duration })),
}

const setCommand: CommandModule<ClockArguments, ClockArguments & { time: string }> = {
  command: 'set <time>',
  describe: 'Set the clock to a time in ISO 8601',
  builder: (args) => args.positional('time', { type: 'string', demandOption: true }),
  handler: async ({ time, ...args }) => tell(args, await call(args, 'PATCH', { now: time })),
}

const freezeCommand: CommandModule<ClockArguments, ClockArguments> = {
  command: 'freeze',
  describe: 'Stop the clock',
  handler: async (args) => tell(args, await call(args, 'PATCH', { frozen: true })),
}

const unfreezeCommand: CommandModule<ClockArguments, ClockArguments> = {
  command: 'unfreeze',
  describe: 'Let a stopped clock run on',
  handler: async (args) => tell(args, await call(args, 'PATCH', { frozen: false })),
}

async function call(args: ClockArguments, method: string, changes?: object): Promise<ShownClock> {
  const { createControlClient } = await import('../control-client.ts')
  return (await createControlClient(toTarget(args)).callWorld(method, '/clock', changes)) as ShownClock
}

async function tell({ json }: Pick<ClockArguments, 'json'>, clock: ShownClock): Promise<void> {
  if (json) (await import('../print-json.ts')).printJson(clock)
  else print(`${clock.now}${clock.frozen ? ', frozen' : ''}\n`)
}
