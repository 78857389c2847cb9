import * as z from 'zod/mini'
import type { AssumptionValues } from '../../api/generated/known-names.ts'
import type { WorldStart } from '../../api/world-start.ts'
import { describeProblem } from '../../core/text/messages.ts'
import { mapFields } from '../../core/text/values.ts'
import { maxKeptChanges } from '../../core/world/snapshot.ts'
import { type Call, defineAction, conflict, notFound } from '../call.ts'
import { undoHeader } from '../answer.ts'
import { maxFields } from '../body.ts'
import { readStartRecords } from '../records.ts'
import {
  listOf,
  withLimit,
  maxRecords,
  pageOf,
  pageQuery,
  schemaOf,
  showWorld,
  toListPage,
  tooManyRecords,
  worldState,
} from '../shapes.ts'
import { greenhouseSchemas } from '../../api/options.ts'
import { clockTime } from './clock.ts'
import { choices } from './scenarios.ts'
import { anyText, described } from '../../core/contract/zod.ts'

const assumptionChoices = z.pipe(
  withLimit(
    z
      .record(anyText, z.union([anyText, z.number()]))
      .check(z.meta({ additionalProperties: { type: ['string', 'number'] } })),
    maxFields,
    'fields',
  ),
  // A number may stand for its text, as in scenario files: 204 is '204'.
  z.transform((given) => mapFields(given, String)),
)

export const assumptionValues = schemaOf<Readonly<AssumptionValues>>(
  described(z.record(anyText, anyText), 'The value of every assumption, by id'),
)

export const worldActions = [
  defineAction('worlds.list', 'GET /worlds', {
    title: 'List the worlds',
    description: 'Each with its seed, scenarios, clock, snapshots, and the size of its journal.',
    input: pageQuery,
    output: pageOf(worldState),
    run: ({ greenhouse }, page) =>
      toListPage(greenhouse.worlds(), page, (name) => showWorld(greenhouse.findWorld(name)!)),
  }),
  defineAction('worlds.read', 'GET /worlds/{world}', {
    title: 'Show a world',
    isDefault: true,
    description: 'Its seed, scenarios, clock, snapshots, and the size of its journal.',
    output: worldState,
    run: ({ world }) => showWorld(world),
  }),
  defineAction('worlds.start', 'PUT /worlds/{world}', {
    title: 'Start a world again, as you say',
    description:
      'Everything is checked before anything changes. What you leave out is as in a new world.',
    destructive: true,
    input: z.strictObject({
      seed: z.optional(greenhouseSchemas.seed),
      now: z.optional(clockTime),
      frozen: z.optional(greenhouseSchemas.frozen),
      scenarios: z.optional(choices),
      assumptions: z.optional(assumptionChoices),
      records: z.optional(
        withLimit(z.record(anyText, z.array(z.unknown())), maxFields, 'fields').check(
          z.refine(
            (given) =>
              Object.values(given).reduce((sum, { length }) => sum + length, 0) <= maxRecords,
            tooManyRecords,
          ),
        ),
      ),
    }),
    output: worldState,
    run({ world }, { records = {}, ...start }) {
      world.reset({
        ...(start as WorldStart),
        records: readStartRecords(world, records, start.now),
      })
      return showWorld(world)
    },
  }),
  defineAction('worlds.delete', 'DELETE /worlds/{world}', {
    title: 'Delete a world',
    description: 'The world `default` starts again.',
    destructive: true,
    needsWorld: true,
    isFinal: true,
    run: (call) => call.deleteWorld(),
  }),
  defineAction('worlds.reset', 'POST /worlds/{world}/reset', {
    title: 'Reset the world',
    commands: { reset: 'Reset a world to its start: data, clock, quotas, scenarios, journal' },
    description: 'Starts the world again as it was created, and deletes its snapshots.',
    destructive: true,
    output: worldState,
    run({ world }) {
      world.reset()
      return showWorld(world)
    },
  }),
  defineAction('assumptions.read', 'GET /worlds/{world}/assumptions', {
    title: "Show a world's assumptions",
    commands: { 'world assumptions': 'Show what the world assumes where the reference is silent' },
    description: 'How the world behaves where the reference leaves a question open.',
    output: assumptionValues,
    run: ({ world }) => world.assumptions,
  }),
  defineAction('assumptions.change', 'PATCH /worlds/{world}/assumptions', {
    title: 'Change assumptions',
    commands: { 'world assume': 'Change assumptions: --plants.delete.unknown 204' },
    description: 'Takes values by id: {"plants.delete.unknown": "204"}. The others keep theirs.',
    input: assumptionChoices,
    output: assumptionValues,
    run({ world }, values) {
      world.assume(values)
      return world.assumptions
    },
  }),
  defineAction('worlds.undo', 'POST /worlds/{world}/undo', {
    title: 'Undo a change',
    description:
      'Goes back to the state before the last change, or that of `change`, if nothing changed since. Otherwise it says what did: the state before is a snapshot to restore, with the id of the change as its name.',
    needsWorld: true,
    isFinal: true,
    input: z.strictObject({
      change: z.optional(
        described(anyText, `The header \`${undoHeader}\` of the answer to the change`),
      ),
    }),
    run({ world }, { change }) {
      if (world.core.state.saved.undo(change)) return
      throw conflict(
        'nothing_to_undo',
        `There is no such change to take back: a world keeps the state before its last ${maxKeptChanges} changes, while there is room, until code resets it.`,
      )
    },
  }),
] as const

const shownSnapshot = z.object({ name: anyText })

export const snapshotActions = [
  defineAction('snapshots.list', 'GET /worlds/{world}/snapshots', {
    title: 'List the snapshots',
    description: 'Answers the name of each.',
    output: listOf(shownSnapshot),
    run: ({ world }) => ({ data: world.snapshots.map((name) => ({ name })) }),
  }),
  defineAction('snapshots.read', 'GET /worlds/{world}/snapshots/{snapshot}', {
    title: 'Check that a snapshot exists',
    description: 'Answers its name, or that there is none.',
    output: shownSnapshot,
    run: (call) => ({ name: findSnapshot(call) }),
  }),
  defineAction('snapshots.save', 'PUT /worlds/{world}/snapshots/{snapshot}', {
    title: 'Save a snapshot',
    description: 'It has everything but the journal. A snapshot with the same name is replaced.',
    output: shownSnapshot,
    run(call) {
      call.world.snapshot(call.snapshot)
      return { name: call.snapshot }
    },
  }),
  defineAction('snapshots.delete', 'DELETE /worlds/{world}/snapshots/{snapshot}', {
    title: 'Delete a snapshot',
    description: 'The world stays as it is.',
    destructive: true,
    needsWorld: true,
    run: (call) => call.world.core.state.saved.delete(findSnapshot(call)),
  }),
  defineAction('snapshots.restore', 'POST /worlds/{world}/snapshots/{snapshot}/restore', {
    title: 'Go back to a snapshot',
    description:
      'The journal stays as it is. The name can be that of a change, whose state before it is kept.',
    destructive: true,
    needsWorld: true,
    output: worldState,
    run(call) {
      const { world } = call
      world.restore(
        world.core.state.saved.findChange(call.snapshot) ? call.snapshot : findSnapshot(call),
      )
      return showWorld(world)
    },
  }),
] as const

function findSnapshot({ world, snapshot }: Call): string {
  if (world.snapshots.includes(snapshot)) return snapshot
  throw notFound(
    'snapshot',
    describeProblem(
      `The world "${world.name}" has no snapshot "${snapshot}"`,
      snapshot,
      world.snapshots,
    ),
  )
}
