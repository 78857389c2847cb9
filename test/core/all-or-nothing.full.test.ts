import { expect, onTestFinished, test, vi } from 'vitest'
import { CollectionStore } from '../../src/core/store/records.ts'
import { LiveWorld } from '../../src/core/world/live-world.ts'
import { dueOf } from '../../src/catalogue/inspect/due.ts'
import { createGreenhouse, type World } from '../../src/index.ts'
import { requests } from '../malformations/requests.ts'
import { createCaller, start } from '../support/test-api.ts'

const writes = [
  'insert',
  'change',
  'update',
  'amend',
  'delete',
  'deleteChildren',
  'replace',
] as const

/** Fails at one write, or at one event or scheduled task: before it is done, or after. */
const fault = { at: Infinity, after: false, seen: 0 }

function watch(target: object, method: string): void {
  const methods = target as Record<string, (...args: unknown[]) => unknown>
  const original = methods[method]!
  methods[method] = function (this: unknown, ...args) {
    const number = ++fault.seen
    if (number === fault.at && !fault.after) throw new Error('A fault before a write')
    const result = original.apply(this, args)
    if (number === fault.at) throw new Error('A fault after a write')
    return result
  }
  onTestFinished(() => void (methods[method] = original))
}

/** Everything that an operation could leave behind. */
function stateOf(world: World): unknown {
  const records = Object.entries(world.records).map(([name, collection]) => [
    name,
    collection.all(),
  ])
  // The request itself is counted, whatever comes of it.
  const due = [...dueOf(world.core)].filter(({ kind }) => kind !== 'quota')
  return { records, due: due.map(({ at, kind, title }) => ({ at, kind, title })) }
}

async function run(operation: string, at: number, after = false) {
  const greenhouse = createGreenhouse({ now: start, frozen: true })
  const world = greenhouse.world()
  const call = createCaller((path, init) =>
    greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init)),
  )
  const prepared = requests[operation]!
  Object.assign(fault, { at: Infinity, seen: 0 })
  const [method, path, options] =
    typeof prepared === 'function' ? await prepared(call, world as never) : prepared
  await world.settled()
  const before = stateOf(world)
  Object.assign(fault, { at, after, seen: 0 })
  const ask = () => call(method, path, { ...options, headers: { 'idempotency-key': 'once' } })
  const reply = await ask()
  const seen = fault.seen
  Object.assign(fault, { at: Infinity, seen: 0 })
  return { reply, seen, before, after: stateOf(world), ask }
}

test('an operation that fails at any of its writes, events and scheduled tasks leaves no trace', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => told.mockRestore())
  for (const method of writes) watch(CollectionStore.prototype, method)
  watch(LiveWorld.prototype, 'emit')
  watch(LiveWorld.prototype, 'schedule')
  const failed: Record<string, number> = {}
  for (const operation of Object.keys(requests)) {
    const { seen, reply } = await run(operation, Infinity)
    expect(reply.status, operation).toBeLessThan(300)
    for (let at = 1; at <= seen; at++)
      for (const isAfter of [false, true]) {
        const where = `${operation}, ${isAfter ? 'after' : 'before'} write ${at} of ${seen}`
        const { reply, before, after, ask } = await run(operation, at, isAfter)
        expect(reply.status, where).toBe(500)
        expect(after, where).toEqual(before)
        const again = await ask()
        expect(again.status, where).toBeLessThan(300)
        expect(again.headers.get('idempotent-replayed'), where).toBeNull()
        failed[operation] = (failed[operation] ?? 0) + 1
      }
  }
  // Each operation that writes was seen to fail.
  expect(failed['messages.create']).toBeGreaterThanOrEqual(8)
  expect(Object.keys(failed).length).toBeGreaterThanOrEqual(20)
})
