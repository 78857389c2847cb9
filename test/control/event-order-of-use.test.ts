import { expect } from 'vitest'
import { testControl } from '../support/control.ts'
import { readEvents } from '../support/events.ts'

testControl(
  'being told of does not count as being used: the same worlds are dropped',
  { maxWorlds: 3 },
  async ({ greenhouse, server }) => {
    const stream = await readEvents(server)
    await stream.until(({ type }) => type === 'gap')
    const first = greenhouse.world('first')
    const second = greenhouse.world('second')
    // In the other order than they are used in.
    second.clock.freeze()
    first.clock.freeze()
    await stream.until(({ type, data }) => type === 'clock' && data.world === 'first')
    expect(greenhouse.worlds()).toEqual(['default', 'first', 'second'])
    greenhouse.world('third')
    const { data } = await stream.until(({ data }) => data.change === 'dropped')
    expect(data.world).toBe('first')
    stream.close()
  },
)
