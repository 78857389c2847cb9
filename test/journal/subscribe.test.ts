import { expect, vi } from 'vitest'
import type { JournalEntry } from 'greenhouse-mock'
import { testApi } from '../support/test-api.ts'

testApi('a listener gets every entry from then on, as the journal has it', async ({ world, call }) => {
  await call('GET', '/plants')
  const seen: (JournalEntry | undefined)[] = []
  world.journal.subscribe((entry) => seen.push(entry))
  await call('GET', '/v1/apps')
  await call('GET', '/v1/app')
  expect(seen).toEqual(world.journal.calls().slice(1))
})

testApi('who unsubscribes gets no more, the others do', async ({ world, call }) => {
  const seen: string[] = []
  const listener = () => seen.push('same')
  const stops = [world.journal.subscribe(listener), world.journal.subscribe(listener)]
  world.journal.subscribe(() => seen.push('other'))
  await call('GET', '/plants')
  expect(seen).toEqual(['same', 'same', 'other'])
  stops[0]!()
  stops[0]!()
  seen.length = 0
  await call('GET', '/plants')
  expect(seen).toEqual(['same', 'other'])
})

testApi('a listener can unsubscribe while it is called', async ({ world, call }) => {
  let count = 0
  const stop = world.journal.subscribe(() => {
    count++
    stop()
  })
  await call('GET', '/plants')
  await call('GET', '/plants')
  expect(count).toBe(1)
})

testApi('a reset ends the journal: listeners are notified once, and hear no more', async ({ world, call }) => {
  const seen: unknown[] = []
  world.journal.subscribe((entry) => seen.push(entry))
  world.reset()
  await call('GET', '/plants')
  world.reset()
  expect(seen).toEqual([undefined])
})

testApi('deleting the world ends its journal', {}, async ({ greenhouse }) => {
  const seen: unknown[] = []
  greenhouse.world('a').journal.subscribe((entry) => seen.push(entry))
  greenhouse.deleteWorld('a')
  expect(seen).toEqual([undefined])
})

testApi('a listener that throws spoils neither the reply nor the other listeners', async ({ world, call }) => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  try {
    const seen: unknown[] = []
    world.journal.subscribe(() => {
      throw new Error('no')
    })
    world.journal.subscribe((entry) => seen.push(entry?.operation))
    expect((await call('GET', '/plants')).status).toBe(200)
    expect(() => world.reset()).not.toThrow()
    expect(seen).toEqual(['plants.list', undefined])
    expect(told).toHaveBeenCalledTimes(2)
  } finally {
    told.mockRestore()
  }
})

testApi('a listener cannot change what the journal holds', async ({ world, call }) => {
  world.journal.subscribe((entry) => void (entry && (entry.request.headers['x'] = 'changed')))
  await call('GET', '/plants')
  expect(world.journal.calls()[0]!.request.headers['x']).toBeUndefined()
})

testApi('a delayed reply is announced twice: while it waits, and after it was sent', async ({ world, call }) => {
  const seen: (JournalEntry | undefined)[] = []
  world.journal.subscribe((entry) => seen.push(entry))
  await call('GET', '/plants', { headers: { 'x-greenhouse-scenario': 'slow:ms=5' } })
  expect(seen.map((entry) => [entry!.id, entry!.pending ?? false, entry!.bytes !== undefined])).toEqual([
    [1, true, false],
    [1, false, true],
  ])
})
