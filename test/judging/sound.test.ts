import { expect, test } from 'vitest'
import { requests } from '../malformations/requests.ts'
import { closedTransport } from '../../src/core/http/webhook-transport.ts'
import { createGreenhouse } from 'greenhouse-mock'

import { createCaller, tested } from '../support/test-api.ts'

test.each(tested)('a sound request of each operation has no violation, strict or not ($name)', async ({ open }) => {
  for (const strict of [false, true]) {
    const greenhouse = createGreenhouse({ strict })
    const { send, close } = await open(greenhouse)
    const deliverAgain = greenhouse.deliverThrough(closedTransport)
    try {
      for (const [operation, prepared] of Object.entries(requests)) {
        const world = greenhouse.world('default')
        world.reset()
        const call = createCaller(send)
        const [method, path, options] = typeof prepared === 'function' ? await prepared(call, world) : prepared
        expect((await call(method, path, options)).status, operation).toBeLessThan(300)
        expect(world.journal.calls().at(-1)!.operation).toBe(operation)
        expect(world.journal.violations(), operation).toEqual([])
      }
    } finally {
      deliverAgain()
      await close()
    }
  }
})

test('there is a sound request of each operation', () => {
  expect(Object.keys(requests).sort()).toEqual(
    createGreenhouse()
      .operations()
      .map(({ id }) => id)
      .sort(),
  )
})
