import { expect } from 'vitest'
import { testControl } from '../support/control.ts'

testControl(
  'a world tells which of its scenarios have acted as often as they may',
  async ({ control, call, greenhouse }) => {
    const usedUp = async () => (await control('GET', '/worlds/default')).body.used_up
    greenhouse.world().use('flaky', { failures: 2 })
    greenhouse.world().use('slow', { ms: 1 })
    const seen: string[][] = [await usedUp()]
    for (let sent = 0; sent < 3; sent++) {
      await call('/plants')
      seen.push(await usedUp())
    }
    expect(seen).toEqual([[], [], ['flaky'], ['flaky']])
    greenhouse.world().use('flaky', { failures: 2 })
    expect(await usedUp()).toEqual([])
  },
)
