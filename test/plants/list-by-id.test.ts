import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { createCaller } from '../support/test-api.ts'

test('lists by id begin with the lowest ids, whatever the limit, the sign and the size of ids', async () => {
  const greenhouse = createGreenhouse({ assumptions: { 'plants.list.order': 'id', 'plants.body.includes-id': 'yes' } })
  const call = createCaller((path, init) => greenhouse.fetch(new Request('http://greenhouse.test' + path, init)))
  const id = fc.oneof(fc.integer({ min: -40, max: 40 }), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(id, { maxLength: 60, selector: BigInt }),
      fc.integer({ min: 0, max: 70 }),
      async (ids, limit) => {
        const account = 'acct_pro'
        greenhouse.world().records.plants.replace(ids.map((id) => ({ id, name: String(id), account })))
        const { body } = await call('GET', `/plants?limit=${limit}`)
        const inOrder = ids.map(BigInt).toSorted((a, b) => (a < b ? -1 : 1))
        expect(body.map(({ name }: { name: string }) => name)).toEqual(inOrder.slice(0, limit).map(String))
      },
    ),
    { numRuns: 60 },
  )
})
