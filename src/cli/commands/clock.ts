import { nonNegative } from '../../api/config/flag-value.ts'
import { defineCommand } from '../command.ts'
import type { DueSummary } from '../../control/actions/clock.ts'
import type { ClockSummary } from '../../control/shapes.ts'
import { callFlags, defineServerCommand, type RemoteServer } from '../running-server.ts'
import type { Terminal } from '../terminal.ts'
import { toTable } from '../output/table.ts'

export const clockCommand = defineCommand({
  command: 'clock',
  describe: 'Show, move, stop or start the clock of a running server',
  // Flags may come before the subcommand.
  flags: callFlags,
  subcommands: [
    defineServerCommand({
      command: 'now',
      describe: 'Show the time, and whether the clock is stopped',
      isDefault: true,
      run: async (server) => showClock(await server.call('GET /worlds/{world}/clock')),
    }),
    defineServerCommand({
      command: 'advance <duration>',
      describe: 'Advance the clock by a duration: 90s, 2h, 1d',
      run: (server, { duration }) => changeClock(server, { advance: duration }),
    }),
    defineServerCommand({
      command: 'set <time>',
      describe: 'Set the clock to a time in ISO 8601',
      run: (server, { time }) => changeClock(server, { now: time }),
    }),
    defineServerCommand({
      command: 'freeze',
      describe: 'Stop the clock',
      run: (server) => changeClock(server, { frozen: true }),
    }),
    defineServerCommand({
      command: 'unfreeze',
      describe: 'Start a stopped clock',
      run: (server) => changeClock(server, { frozen: false }),
    }),
    defineServerCommand({
      command: 'due',
      describe: 'List what happens next, soonest first',
      flags: { limit: { value: nonNegative, describe: 'How many to list: 100 by default, at most 1000' } },
      async run(server, { limit }, terminal) {
        const answer = await server.call('GET /worlds/{world}/due', { query: { limit } })
        return { answer, toText: () => toDueText(answer.data, terminal) }
      },
    }),
    defineServerCommand({
      command: 'next',
      describe: 'Move the clock to what happens next',
      async run(server, _, terminal) {
        const answer = await server.call('POST /worlds/{world}/due/next')
        return { answer, toText: () => toClockText(answer.clock) + toDueText(answer.done, terminal) }
      },
    }),
  ],
  examples: [
    ['clock advance 2h', 'Run what is due in the next two hours: retries, renewals, windows'],
    ['clock set 2026-01-31T12:00:00Z', 'Go to a time; a frozen clock stays frozen'],
  ],
})

async function changeClock(server: RemoteServer, body: object) {
  return showClock(await server.call('PATCH /worlds/{world}/clock', { body }))
}

function showClock(answer: ClockSummary) {
  return { answer, toText: () => toClockText(answer) }
}

function toClockText({ now, frozen }: ClockSummary): string {
  return `${now}${frozen ? ', frozen' : ''}\n`
}

function toDueText(due: readonly DueSummary[], { stdout }: Terminal): string {
  if (due.length === 0) return 'Nothing is scheduled.\n'
  const rows = due.map(({ at, kind, title }) => [at, kind, title])
  return toTable([['AT', 'KIND', 'WHAT'], ...rows], stdout.columns)
}
