import * as z from 'zod/mini'
import { dueOf } from '../../catalogue/inspect/due.ts'
import type { DueWork } from '../../core/time/clock.ts'
import { toClockTime, toIso, toMovedTime } from '../../core/time/time-text.ts'
import { defineAction, waitFor } from '../call.ts'
import { clockState, limitFields, listOf, named, showClock, worldTime } from '../shapes.ts'
import { maxListed } from '../list-limit.ts'
import { anyText, described } from '../../core/contract/zod.ts'

export const clockTime = described(
  z.union([anyText, z.number()], 'expected a time, such as "2026-01-31T12:00:00Z"'),
  'ISO 8601, or milliseconds since 1970',
)

export const dueKinds = [
  ...([
    'delivery',
    'event',
    'settlement',
    'renewal',
    'charge',
    'cancellation',
    'certificate',
  ] as const),
  ...(['dns-timeout', 'quota', 'reply', 'scheduled'] as const),
]

const dueWork = named('DueWork', {
  at: worldTime,
  kind: described(anyText, dueKinds.join(', ')),
  title: anyText,
  subject: z.optional(
    z.object({
      collection: anyText,
      id: anyText,
    }),
  ),
})
export type DueSummary = z.infer<typeof dueWork>

export const clockChange = z.strictObject({
  now: z.optional(clockTime),
  advance: z.optional(
    described(
      z.union([anyText, z.number()], 'expected a duration, such as "90s"'),
      '90s, 2h, 1d, or milliseconds',
    ),
  ),
  frozen: z.optional(z.boolean()),
})
export type ClockChange = z.infer<typeof clockChange>

export const clockActions = [
  defineAction('clock.read', 'GET /worlds/{world}/clock', {
    title: 'Show the clock',
    commands: { 'clock now': 'Show the time, and whether the clock is stopped' },
    isDefault: true,
    description:
      'The time in the world, and whether the clock is frozen. A clock shows the years 1970 to 9999.',
    output: clockState,
    run: ({ world }) => showClock(world),
  }),
  defineAction('clock.change', 'PATCH /worlds/{world}/clock', {
    title: 'Move, freeze or start the clock',
    commands: {
      'clock advance <advance>': 'Advance the clock by a duration: 90s, 2h, 1d',
      'clock set <now>': 'Set the clock to a time in ISO 8601',
      'clock freeze --frozen': 'Stop the clock',
      'clock unfreeze --no-frozen': 'Start a stopped clock',
    },
    description:
      'Runs what falls due on the way, in order, and answers when it is done, webhook deliveries included. `advance` counts from `now`.',
    input: clockChange,
    output: clockState,
    async run({ world }, { now, advance, frozen }) {
      const { clock } = world
      const start = now === undefined ? clock.now() : toClockTime(now)
      const target = advance === undefined ? start : toMovedTime(start, advance)
      if (frozen) clock.freeze()
      if (now !== undefined || advance !== undefined) clock.set(target)
      if (frozen === false) clock.run()
      await waitFor(world.settled())
      return showClock(world)
    },
  }),
  defineAction('clock.due', 'GET /worlds/{world}/due', {
    title: 'List what happens next',
    whenEmpty: 'Nothing is scheduled.',
    description:
      'Everything that is scheduled, soonest first: deliveries, renewals, settlements, refills of quotas.',
    input: z.strictObject(limitFields),
    output: listOf(dueWork),
    run: ({ world }, { limit }) => ({ data: dueOf(world.core).slice(0, limit).map(showDue) }),
  }),
  defineAction('clock.next', 'POST /worlds/{world}/due/next', {
    title: 'Move the clock to what happens next',
    description: 'Runs everything that is due at that time, and answers when it is done.',
    output: z.object({
      clock: clockState,
      done: z.array(dueWork),
    }),
    async run({ world }) {
      const live = world.core
      live.catchUp()
      const due = dueOf(live)
      const [next] = due
      if (!next)
        return {
          clock: showClock(world),
          done: [],
        }
      const together = due.filter(({ at }) => at === next.at).slice(0, maxListed)
      if (next.at > world.clock.now()) world.clock.set(next.at)
      await waitFor(world.settled())
      return {
        clock: showClock(world),
        done: together.map(showDue),
      }
    },
  }),
] as const

function showDue({ at, kind, title, subject }: DueWork): DueSummary {
  return {
    at: toIso(at),
    kind,
    title,
    subject,
  }
}
