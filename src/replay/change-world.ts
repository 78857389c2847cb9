import { type Fields, mapFields } from '../core/text/values.ts'
import { refillQuota } from '../catalogue/inspect/accounts.ts'
import type { World } from '../api/world.ts'
import type { EventType } from '../areas/event-types.ts'
import { sendAgain } from '../areas/apps/webhooks/delivery/engine.ts'
import { deliveries } from '../areas/apps/webhooks/schemas.ts'
import { accounts, type NewKey } from '../core/accounts/accounts.ts'
import type { CollectionDefinition, RecordKey } from '../core/store/collection.ts'
import { codedError } from '../core/text/error-codes.ts'
import { describeProblem, quote } from '../core/text/messages.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { formOf } from '../fixtures/forms.ts'
import { stepActions } from '../cases/format.ts'
import { type Collection, requireCollection } from '../catalogue/inspect/collections.ts'
import type { CaseStep } from '../cases/generated/case.ts'

type Action<Value> = (world: World, value: NonNullable<Value>, step: CaseStep) => unknown

/** The change of a step that is neither a request nor the answer of a receiver. */
const actions: { readonly [Name in keyof CaseStep]?: Action<CaseStep[Name]> } = {
  use: ({ core }, choices, { place }) => core.scenarios.use(choices, { index: place }),
  use_only: ({ core }, choices) => core.scenarios.use(choices, { isOnly: true }),
  clear: ({ core }, name) => core.scenarios.clear(name === true ? undefined : name),
  assume: ({ core }, values) => core.scenarios.assume(values),
  clock: ({ clock }, { now }) => clock.set(now),
  put: ({ core }, given) => put(core, given),
  remove({ core }, { collection, key }) {
    const definition = requireCollection(core, collection)
    findStored(core, definition, key)
    core.collection(definition).delete(key)
    core.recordChange({ remove: { collection, key } })
  },
  replace({ core }, { collection, records }) {
    const definition = requireCollection(core, collection)
    const stored = core.collection(definition)
    stored.replace(records.map((value) => toRecord(core, definition, value)))
    core.recordChange({
      replace: {
        collection,
        records: stored.all(),
      },
    })
  },
  refill: ({ core }, { account, window }) =>
    refillQuota(core, findStored(core, accounts, account), window),
  create_key: (world, key) => world.createKey(key as NewKey),
  trigger: (world, { type, data, ...target }) => world.trigger(type as EventType, data, target),
  redeliver({ core }, id) {
    core.recordChange({ redeliver: id })
    const delivery = findStored(core, deliveries, id)
    sendAgain(core, core.collection(deliveries), delivery, core.clock.now())
  },
  snapshot: (world, name) => world.snapshot(name),
  restore: (world, name) => world.restore(name),
}

/** Repeats a change of a world. @param step with its secrets */
export async function changeWorld(world: World, step: CaseStep): Promise<void> {
  for (const name of stepActions) {
    const value = step[name]
    if (value !== undefined && value !== null)
      await (actions[name] as Action<unknown> | undefined)?.(world, value, step)
  }
}

function findStored<T extends object>(
  live: LiveWorld,
  definition: CollectionDefinition<T>,
  id: RecordKey,
): Readonly<T> {
  const stored = live.collection(definition)
  const found = stored.get(id)
  if (found) return found
  const known = definition.secrets
    ? []
    : stored.all().map((record) => String(definition.key(record)))
  throw codedError(
    'GREENHOUSE_UNKNOWN_NAME',
    describeProblem(`"${definition.name}" has no record ${quote(String(id))}`, String(id), known),
  )
}

function put(live: LiveWorld, { collection, record: value, place }: NonNullable<CaseStep['put']>) {
  const definition = requireCollection(live, collection)
  const stored = live.collection(definition)
  const given = toRecord(live, definition, value)
  const before = stored.get(definition.key(given))
  const absent = mapFields((before ?? {}) as Fields, () => undefined)
  const record = before
    ? stored.amend(before, { ...absent, ...given })
    : stored.create(given, place)
  live.recordWritten(definition, record, before)
  live.recordChange({ put: { collection, record, place } })
}

function toRecord(live: LiveWorld, definition: Collection, value: object): object {
  const form = formOf(definition)
  return form.toRecord(form.schema.parse(value), live.clock.now())
}
