import type { ScenarioChoice, TriggerOptions } from '../../api/names.ts'
import type { WorldStart } from '../../api/world-start.ts'
import {
  isObject,
  rejectSecondArgument,
  throwOnMisspeltNames,
} from '../../core/contract/options.ts'
import { checkArgument, checkOptions, custom, text } from '../../core/store/options.ts'
import { toServerBases } from '../../core/http/urls.ts'
import { keyIn } from '../../core/text/world-key.ts'
import type { Clock } from '../../core/time/clock.ts'
import { readDate, toClockTime, toMilliseconds } from '../../core/time/time-text.ts'
import type { ClockChange } from '../actions/clock.ts'
import type { WorldSummary } from '../shapes.ts'
import {
  caseTitle,
  eventTypeText,
  snapshotName,
  triggerSchemas,
} from '../../api/world-arguments.ts'
import { ifKnown, type WorldCalls } from './world-calls.ts'
import type { Remote, RemoteWorld } from './remote.ts'
import { ClientJournal } from './journal.ts'
import { ClientRecords } from './records.ts'
import type { Fields, Texts } from '../../core/text/values.ts'
import { codedError } from '../../core/text/error-codes.ts'
import type { Finding } from '../../core/store/validation-message.ts'
import { toPlainData } from '../../scenarios/language/plain-data.ts'

export function createRemoteWorld(calls: WorldCalls, name: string): RemoteWorld {
  const { server } = calls
  const { plants: plantsUrl, apps: appsUrl } = toServerBases(server, name)
  const collections = calls.facts.collections.map(
    (one) => [one.name, new ClientRecords(calls, one)] as const,
  )
  const read = async <Name extends keyof WorldSummary>(name: Name) =>
    (await calls.do('GET /worlds/{world}'))[name]
  const change: WorldCalls['change'] = (route, fields) => calls.change(route, fields)
  const getters = {
    scenarios: () => read('scenarios'),
    seed: () => read('seed'),
    pinned: () => read('pinned'),
    snapshots: () => read('snapshots'),
    active: async () => (await calls.do('GET /worlds/{world}/scenarios')).active,
    assumptions: () => calls.do('GET /worlds/{world}/assumptions'),
  }
  return withGetters<RemoteWorld, keyof typeof getters>(getters, {
    name,
    plantsUrl,
    appsUrl,
    clock: createRemoteClock(calls),
    journal: new ClientJournal(calls),
    records: throwOnMisspeltNames(Object.fromEntries(collections)) as RemoteWorld['records'],
    async use(choice: ScenarioChoice, options?: Fields) {
      if (typeof options === 'string')
        rejectSecondArgument('world.use', arguments, 'Call it once for each scenario.')
      const named = typeof choice === 'string' && options ? { name: choice } : choice
      const one = options ? { ...(named as object), ...options } : choice
      assertPlain([one])
      await change('POST /worlds/{world}/scenarios', { active: [one] })
    },
    async useOnly(active) {
      assertPlain(active)
      await change('PUT /worlds/{world}/scenarios', { active })
    },
    async clear(scenario?: string) {
      rejectSecondArgument('world.clear', arguments, 'Call it once for each scenario.')
      if (scenario === undefined) await change('DELETE /worlds/{world}/scenarios')
      else await change('DELETE /worlds/{world}/scenarios/{scenario}', { scenario })
    },
    async assume(choices: string | object, value?: string) {
      const values = typeof choices === 'string' ? { [choices]: value } : choices
      checkArgument('world.assume', 'the first argument', values, assumptionValues)
      await change('PATCH /worlds/{world}/assumptions', values as Texts)
    },
    async reset(start?: WorldStart) {
      if (start === undefined) return change('POST /worlds/{world}/reset')
      assertPlain((start as WorldStart | null)?.scenarios)
      return change('PUT /worlds/{world}', start)
    },
    async snapshot(snapshot) {
      checkArgument('world.snapshot', 'the first argument', snapshot, snapshotName)
      await change('PUT /worlds/{world}/snapshots/{snapshot}', { snapshot })
    },
    async restore(snapshot) {
      checkArgument('world.restore', 'the first argument', snapshot, snapshotName)
      await change('POST /worlds/{world}/snapshots/{snapshot}/restore', { snapshot })
    },
    async toCase(title) {
      if (title !== undefined) checkArgument('world.toCase', 'the first argument', title, caseTitle)
      return calls.do('GET /worlds/{world}/case', { title })
    },
    settled: () => change('PATCH /worlds/{world}/clock', {}),
    async trigger(type: string, data?: object, options: TriggerOptions = {}) {
      checkArgument('world.trigger', 'the first argument', type, eventTypeText)
      checkOptions('world.trigger', options, triggerSchemas)
      const { account, app } = options
      const fields = {
        type,
        data: data as Fields,
        account,
        app_id: app,
      }
      return [...(await calls.do('POST /worlds/{world}/events', fields)).data]
    },
    grade: (id) => calls.do('GET /worlds/{world}/webhooks/{id}/grade', { id }),
    examine: (id) => calls.do('POST /worlds/{world}/webhooks/{id}/grade', { id }),
    async createKey(key) {
      const { secret } = await calls.do('POST /worlds/{world}/keys', key)
      return { ...key, secret }
    },
    key(secret) {
      checkArgument('world.key', 'the first argument', secret, keySchema)
      return keyIn(name, secret)
    },
    delete() {
      const deleted = calls.call('DELETE /worlds/{world}').then(() => true)
      return ifKnown('world', deleted, false)
    },
  })
}

/**
 * Getters call the server: a printer or a spread, which reads all properties in sight, must not.
 */
function withGetters<T, Name extends keyof T>(
  getters: { readonly [One in Name]: () => T[One] },
  others: Omit<T, Name>,
): T {
  for (const [name, get] of Object.entries(getters))
    Object.defineProperty(others, name, { get: get as () => unknown })
  return others as T
}

function createRemoteClock(calls: WorldCalls): Remote<Clock> {
  const read = () => calls.do('GET /worlds/{world}/clock')
  const change = (fields: ClockChange) => calls.change('PATCH /worlds/{world}/clock', fields)
  const frozen = async () => (await read()).frozen
  return withGetters<Remote<Clock>, 'frozen'>(
    { frozen },
    {
      now: async () => readDate((await read()).now),
      async advance(duration) {
        rejectSecondArgument('world.clock.advance', arguments, 'Write "5m".')
        toMilliseconds(duration)
        await change({ advance: duration })
      },
      async set(time) {
        toClockTime(time)
        await change({ now: time })
      },
      freeze: () => change({ frozen: true }),
      run: () => change({ frozen: false }),
    },
  )
}

const keySchema = text('a key, such as "key_pro"')

const assumptionValues = custom(
  'assumptions as text, such as { "plants.delete.unknown": "204" }',
  (values) => isObject(values) && Object.values(values).every((value) => typeof value === 'string'),
)

/** Checks scenarios before they are sent as JSON, which leaves out a function without a word. */
function assertPlain(choices: unknown): void {
  const findings: Finding[] = []
  for (const choice of [choices].flat()) if (isObject(choice)) toPlainData(choice, findings)
  for (const { path, message } of findings)
    throw codedError(
      'GREENHOUSE_INVALID_SCENARIO',
      `Failed to use a scenario: ${path.join('.')}: ${message}`,
    )
}
