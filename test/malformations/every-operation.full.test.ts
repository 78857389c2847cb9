import { expect, test } from 'vitest'
import { malformations } from 'greenhouse-mock'
import { report } from '../support/report.ts'
import { open, start } from '../support/test-api.ts'
import { errorsOf, expectMalformed, resultOf, toPath, valueAt } from './contract.ts'
import { requests, type Sent } from './requests.ts'

const { call, greenhouse, world } = open()

/** Resets the world and returns the operation's request. */
async function prepare(operation: string): Promise<Sent> {
  world.reset()
  world.clock.freeze()
  world.clock.set(start)
  const prepared = requests[operation]
  if (!prepared)
    throw new Error(
      `There is no request for the operation "${operation}": add one that succeeds to test/malformations/requests.ts.`,
    )
  return typeof prepared === 'function' ? prepared(call, world) : prepared
}

for (const { id } of greenhouse.operations())
  test(`every malformation of ${id} violates the schema at exactly its place, or is legal`, async () => {
    const sound = await call(...(await prepare(id)))
    expect(sound, `the request of "${id}" in test/malformations/requests.ts`).toMatchObject({
      status: expect.toSatisfy((status: number) => status < 300),
    })
    const all = malformations(id)
    if (all.length === 0)
      return expect(sound.headers.get('content-type')).not.toBe('application/json')
    expect(errorsOf(resultOf(id), sound.body)).toEqual([])
    for (const { name, options, breaks } of all) {
      const holder = toPath(options.at).slice(0, -1)
      expect(
        valueAt(sound.body, holder),
        `what holds "${options.at}": let the request of "${id}" in test/malformations/requests.ts have a reply with it`,
      ).toBeInstanceOf(Object)
      const sent = await prepare(id)
      world.use(name, options)
      const { status, body } = await call(...sent)
      expect(status).toBe(sound.status)
      expectMalformed(sound.body, body, { ...options, breaks }, resultOf(id))
    }
  })

test('the list of all malformations has the list of each operation', () => {
  const all = malformations()
  report(
    'malformations',
    `${all.length} malformations of ${new Set(all.map(({ options }) => options.on)).size} operations; ${all.filter(({ breaks }) => breaks).length} break the schema.`,
  )
  expect(all).toEqual(greenhouse.operations().flatMap(({ id }) => malformations(id)))
  expect(new Set(all.map(({ options }) => JSON.stringify(options))).size).toBe(all.length)
})
