import fc from 'fast-check'
import { expect } from 'vitest'
import { toAddress } from '../../src/core/pipeline/router.ts'
import { splitTarget } from '../../src/core/http/request.ts'
import { ask } from '../support/socket.ts'
import { times } from '../support/soak.ts'
import { both, startProxied, testBehind } from './proxied.ts'

const names = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'A.b_c-d', 'x'.repeat(64), '%77', 'a b', '', '~w1', 'ü']
const targets = ['/plants', '/', '/v1/apps', '/~', '/plants/~w1', '//~w1/plants', '/plants?world=w1', '/plants?x=/~w2/']
const credentials = [
  ['Bearer key_pro', 'bearer  key_pro@w1', 'BEARER a@b@w2', 'Bearer @w3', 'Bearer @@w3', 'Basic key_pro@w4'],
  ['Bearer key_pro@w5 ', 'Bearer', 'Bearer a b@w6', 'Bearerkey_pro@w7', 'Bearer a@w1,b@w2'],
].flat()

const name = fc.constantFrom(...names)
const path = fc.oneof(
  fc.constantFrom(...targets),
  fc
    .tuple(name, fc.constantFrom('', '/', '/plants', '/v1/apps?limit=1', '?limit=1', '//plants', '/~w2/plants'))
    .map(([world, rest]) => `/~${encodeURI(world)}${rest}`),
)
const authorization = fc.oneof(
  name.map((world) => `Bearer key_pro@${world}`),
  fc.constantFrom(...credentials),
)
const headers = fc.array(
  fc.oneof(
    authorization.map((value) => `Authorization: ${value}`),
    name.map((world) => `X-Greenhouse-World: ${world}`),
  ),
  { maxLength: 3 },
)

/** The world of a request, as Node reads its headers and Greenhouse takes them. */
function toWorld(target: string, lines: readonly string[]): string {
  const values = (wanted: string) =>
    lines.filter((line) => line.startsWith(wanted)).map((line) => line.slice(wanted.length + 1).trim())
  const [path] = splitTarget(target)
  const [world, key] = [values('X-Greenhouse-World'), values('Authorization')]
  const { world: named = 'default' } = toAddress({
    method: 'GET',
    path,
    headers: {
      ...(world.length > 0 && { 'x-greenhouse-world': world.join(', ') }),
      ...(key.length > 0 && { authorization: key[0] }),
    },
  } as never)
  return named
}

testBehind(both, 'each request goes to the process of its world', async (proxy) => {
  const { url } = await startProxied(proxy)
  const { port } = new URL(url)
  const processes = new Map<string, string>()
  const seen = new Set<string>()
  const get = (target: string, lines: readonly string[]) => ask(Number(port), `GET ${target}`, lines)
  await fc.assert(
    fc.asyncProperty(path, headers, async (target, lines) => {
      const world = toWorld(target, lines)
      // nginx takes no header twice that has one value, and answers 400 itself.
      if (proxy === 'nginx' && new Set(lines.map((line) => line.split(':')[0])).size < lines.length) return
      // All of them refuse an invalid world.
      if (!/^[\w.-]{1,64}$/.test(world)) return
      const { headers } = await get(target, lines)
      const own = headers['x-greenhouse-process']
      expect(own, 'told by the proxy').toBeDefined()
      if (headers['x-greenhouse'] !== undefined) expect(headers['x-greenhouse'].split(';')[0]).toBe(`world=${world}`)
      if (!processes.has(world))
        processes.set(world, (await get(`/~${world}/plants`, [])).headers['x-greenhouse-process']!)
      expect([world, own]).toEqual([world, processes.get(world)])
      seen.add(world)
    }),
    { numRuns: times(2_000, 300) },
  )
  expect(seen.size).toBeGreaterThan(5)
  expect(new Set(processes.values()).size).toBeGreaterThan(2)
})

testBehind(both, 'control calls go to the process of their world', async (proxy) => {
  const { url } = await startProxied(proxy)
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const reply = await fetch(url + path, { method, headers })
    await reply.body?.cancel()
    return reply.headers.get('x-greenhouse-process')
  }
  const usual = await ask('/plants')
  for (const world of ['w1', 'w2', 'w3', 'w4', 'w5']) {
    const own = await ask(`/~${world}/plants`)
    for (const path of [`/worlds/${world}`, `/worlds/${world}/journal`, `/worlds/${world}/records/plants?limit=1`])
      expect(await ask(`/__greenhouse${path}`), path).toBe(own)
    expect(await ask(`/__greenhouse/worlds/${world}/reset`, {}, 'POST')).toBe(own)
    expect(await ask(`/__greenhouse/events?types=clock&world=${world}`)).toBe(own)
    // Calls without a world go to the process of "default", or of the header's world.
    expect(await ask('/__greenhouse/worlds')).toBe(usual)
    expect(await ask('/__greenhouse/worlds', { 'x-greenhouse-world': world })).toBe(own)
  }
})
