import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'

const json = { 'content-type': 'application/json' }
const requests: [path: string, init?: RequestInit][] = [
  ['/plants?limt=3'],
  ['/plants?limt=3'],
  ['/plants?limit=3'],
  ['/plants?limt=3', { method: 'HEAD' }],
  ['/plants?limt=3', { method: 'DELETE' }],
  ['/plants?limt=3'],
  ['/plants?limt=3', { headers: { 'x-greenhouse-scenario': 'server-error' } }],
  ['/plants', { method: 'POST', headers: json, body: '{"id":1}' }],
  ['/plants', { method: 'POST', headers: json, body: '{"id":1,"name":"Fern"}' }],
  ['/plants', { method: 'POST', headers: json, body: '{"id":1}' }],
  ['/plants', { method: 'POST', headers: json }],
  ['/plants', { method: 'POST', headers: json }],
  ['/plants?limit=3', { headers: { authorization: 'Basic key_pro' } }],
  ['/plants?limit=3'],
]

test('the log has the violations that the journal finds in each request, however alike they are', async () => {
  const { ready, output, stop } = await startServe()
  const url = ready.plants_url
  const began = output.stdout.length
  for (const [path, init] of requests) {
    const reply = await fetch(url + path, { ...init, headers: { authorization: 'Bearer key_pro', ...init?.headers } })
    await reply.arrayBuffer()
  }
  const { data } = (await (await fetch(`${url}/__greenhouse/worlds/default/journal`)).json()) as {
    data: { violations?: { rule: string }[] }[]
  }
  const lines = (await stop()).stdout.slice(began).trim().split('\n')
  const logged = lines.map((line) => (JSON.parse(line) as (typeof data)[number]).violations)
  expect(logged).toEqual(data.map(({ violations }) => violations))
  expect(logged.map((violations) => violations?.length ?? 0)).toEqual([1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0])
})
