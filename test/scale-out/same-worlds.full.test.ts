import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'
import { times } from '../support/soak.ts'
import { startProxied, whyNot, type Proxy } from './proxied.ts'
import { createClient, createDay } from './random-day.ts'

const requests = times(60, 20)
const worlds = ['default', ...Array.from({ length: 39 }, (_, place) => `w${place}.x-${(place * 7_919) % 1_000}`)]
const args = ['--seed', '7', '--now', '2026-03-01T12:00:00Z', '--frozen']

/** Returns a world's journal from a server. */
async function journalOf(url: string, world: string): Promise<unknown[]> {
  const reply = await fetch(`${url}/__greenhouse/worlds/${world}/journal?limit=1000`)
  const { data } = (await reply.json()) as {
    data: { operation: string; request: { method: string }; response: { status: number } }[]
  }
  return data.map(({ operation, request, response }) => [operation, request.method, response.status])
}

for (const proxy of ['haproxy', 'nginx'] as const satisfies Proxy[]) {
  const reason = whyNot(proxy)
  test.skipIf(reason !== undefined)(
    `40 worlds behind ${proxy} answer as 40 worlds of one process${reason === undefined ? '' : ` (${reason})`}`,
    async () => {
      const [{ url, members }, alone] = await Promise.all([startProxied(proxy, args), startServe(args)])
      const [ask, askAlone] = [createClient(url), createClient(alone.ready.plants_url)]
      const statuses = new Set<number>()
      let failed = 0
      await Promise.all(
        worlds.map(async (world, place) => {
          const day = createDay(world, 2_026 + place)
          for (let count = 0; count < requests; count++) {
            const sent = day.next()
            const [got, expected] = await Promise.all([ask(sent), askAlone(sent)])
            expect(got, `${JSON.stringify(sent)}`).toEqual(expected)
            day.learn(expected)
            statuses.add(expected.status)
            if (expected.failed) failed++
          }
        }),
      )
      // The day had something of everything.
      expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 404]))
      expect(failed).toBeGreaterThan(0)

      const counts = await Promise.all(
        members.map(async ({ ready }) => {
          const reply = await fetch(`${ready.plants_url}/__greenhouse/worlds`)
          return ((await reply.json()) as { data: { name: string }[] }).data.map(({ name }) => name)
        }),
      )
      // Each process has some of them, and no world but `default`, which is there from the start, is in two.
      for (const names of counts) expect(names.filter((name) => worlds.includes(name)).length).toBeGreaterThan(3)
      const all = counts.flat().filter((name) => name !== 'default' && worlds.includes(name))
      expect([...all].sort()).toEqual(worlds.filter((name) => name !== 'default').sort())
      for (const world of worlds)
        expect(await journalOf(url, world), world).toEqual(await journalOf(alone.ready.plants_url, world))
    },
  )
}
