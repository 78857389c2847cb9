import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

test('matching on a body too large to keep throws; matching on everything else works', async () => {
  const greenhouse = createGreenhouse({ journal: { bytes: 4_000 } })
  const body = JSON.stringify({ name: 'x'.repeat(9_000), tag: 'x' })
  await greenhouse.fetch(
    new Request('http://any/plants?a=1', {
      method: 'POST',
      body,
      headers: { 'x-a': '1', 'content-type': 'application/json' },
    }),
  )
  const { journal } = greenhouse.world()
  expect(() => journal.calls({ body: { tag: 'x' } })).toThrow(
    "The journal can't tell whether this was ever called: the request 1 was too large to be kept in full.",
  )
  expect(journal.calls({ path: '/plants', headers: { 'x-a': '1' } })).toHaveLength(1)
  expect(journal.calls({ path: '/v1/apps', body: { tag: 'x' } })).toEqual([])
  expect(journal.violations().map(({ rule }) => rule)).not.toContain('invalid-body')
})

test('headers count too: when those of a request or a reply are too large, both are dropped', async () => {
  const greenhouse = createGreenhouse({ journal: { bytes: 4_000 } })
  const world = greenhouse.world()
  const headersKept = async (headers: Record<string, string>) => {
    await greenhouse.fetch(new Request('http://any/plants', { headers }))
    const { request, response } = world.journal.calls().at(-1)!
    return [Object.keys(request.headers).length > 0, Object.keys(response.headers).length > 0]
  }
  expect(await headersKept({ 'x-a': 'a' })).toEqual([true, true])
  expect(await headersKept({ 'x-a': 'a'.repeat(5_000) })).toEqual([false, false])
  await world.use({ title: 'Large headers', fault: [{ kind: 'headers', set: { 'X-A': 'a'.repeat(5_000) } }] })
  expect(await headersKept({ 'x-a': 'a' })).toEqual([false, false])
  for (let place = 0; place < 40; place++)
    world.use({ title: `Header ${place}`, fault: [{ kind: 'headers', set: { [`X-${place}`]: '1' } }] })
  await headersKept({})
  expect(world.journal.calls().at(-1)!.scenarios).toHaveLength(32)
})
