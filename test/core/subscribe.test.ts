import { expect, test } from 'vitest'
import { createGreenhouse, type JournalEntry } from 'greenhouse-mock'

test('a subscriber hears of every request of every world, even after a reset, until it stops', async () => {
  const greenhouse = createGreenhouse()
  const ask = (path: string) => greenhouse.fetch(new Request('http://greenhouse.test' + path))
  const heard: JournalEntry[] = []
  await ask('/plants')
  const stop = greenhouse.subscribe((entry) => heard.push(entry))
  await ask('/~one/plants')
  greenhouse.world('one').reset()
  await ask('/~one/v1/apps')
  await ask('/v1/apps')
  stop()
  await ask('/plants')
  expect(heard.map(({ world, operation }) => [world, operation])).toEqual([
    ['one', 'plants.list'],
    ['one', 'apps.list'],
    ['default', 'apps.list'],
  ])
  expect(heard[0]).toEqual({ ...heard[0], response: { ...heard[0]!.response, status: 401 } })
})
