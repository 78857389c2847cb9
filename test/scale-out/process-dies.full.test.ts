import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { both, type Proxied, startProxied, testBehind, worldsOf } from './proxied.ts'
import { canRun } from '../browser/chromium.ts'
import { createSharedPage } from '../browser/shared-page.ts'
import { addPages, answersIn, shows } from '../panel/page.ts'

const worlds = Array.from({ length: 24 }, (_, place) => `w${place}`)
const json = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }

/** Writes a plant in every world, and gives the worlds by the place of their process. */
async function fill({ url, members }: Proxied): Promise<string[][]> {
  for (const world of worlds) {
    const body = JSON.stringify({ id: 9_001, name: `of ${world}` })
    expect(
      (await fetch(`${url}/~${world}/plants`, { method: 'POST', headers: json, body })).status,
    ).toBe(200)
  }
  const all = await Promise.all(members.map(worldsOf))
  return all.map((names) => names.filter((name) => worlds.includes(name)))
}

/** The status of a read in a world, and what stands in its plants or in its error. */
async function look(url: string, world: string): Promise<[status: number, text: string]> {
  const reply = await fetch(`${url}/~${world}/plants`, { headers: json })
  return [reply.status, await reply.text()]
}

/** Sends HAProxy a command, like `socat stdio haproxy.sock`, and returns its answer. */
async function command(folder: string, line: string): Promise<string> {
  const socket = connect(join(folder, 'haproxy.sock'))
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
  socket.end(`${line}\n`)
  await once(socket, 'close')
  return answer
}

/**
 * A member that has some of the worlds but not `default`, whose process answers what names no
 * world.
 */
const toVictim = (byMember: readonly string[][]) => byMember.findIndex((names) => names.length > 2)

testBehind(both, 'a process that dies takes its own worlds with it, and says so', async (proxy) => {
  const proxied = await startProxied(proxy)
  const { url, members } = proxied
  const byMember = await fill(proxied)
  const victim = toVictim(byMember)
  members[victim]!.child.kill('SIGKILL')
  await members[victim]!.ended
  // An open connection may break; later requests get the error.
  await look(url, byMember[victim]![0]!).catch(() => undefined)

  for (const [place, names] of byMember.entries())
    for (const world of names) {
      const [status, text] = await look(url, world)
      if (place === victim) {
        expect([status, JSON.parse(text).error.code], world).toEqual([503, 'world_unavailable'])
        expect(JSON.parse(text).error.message).toMatch(/is lost; other worlds go on/)
      } else expect([status, text], world).toEqual([200, expect.stringContaining(`of ${world}"`)])
    }
  const lost = byMember[victim]![0]!
  const reset = await fetch(`${url}/__greenhouse/worlds/${lost}/reset`, { method: 'POST' })
  expect([reset.status, reset.headers.get('content-type')]).toEqual([503, 'application/json'])
  // None of its worlds went to another process.
  for (const [place, member] of members.entries())
    if (place !== victim)
      expect((await worldsOf(member)).filter((name) => byMember[victim]!.includes(name))).toEqual(
        [],
      )
})

testBehind(['haproxy'], 'a restarted process stays out until it is let in', async () => {
  const proxied = await startProxied('haproxy')
  const { url, members, folder, restart } = proxied
  const byMember = await fill(proxied)
  const victim = toVictim(byMember)
  const world = byMember[victim]![0]!
  members[victim]!.child.kill('SIGKILL')
  await members[victim]!.ended
  await look(url, world).catch(() => undefined)
  const again = await restart(victim)
  expect((await look(again.ready.plants_url, world))[0]).toBe(200)
  // The proxy has found it well, too.
  await expect
    .poll(() => command(folder, 'show stat'))
    .toMatch(new RegExp(`^greenhouse-${victim + 1},process,.*,L7OK,`, 'm'))
  for (let count = 0; count < 3; count++) expect((await look(url, world))[0]).toBe(503)

  await command(folder, `set server greenhouse-${victim + 1}/process health up`)
  const [status, text] = await look(url, world)
  expect(status).toBe(200)
  expect(text).not.toContain(`of ${world}"`)
})

testBehind(['haproxy'], 'faults on the wire leave the process in', async () => {
  const { url } = await startProxied('haproxy')
  for (const scenario of ['connection-reset', 'empty-reply', 'garbage', 'truncated-body']) {
    const reply = fetch(`${url}/~w1/plants`, {
      headers: { ...json, 'x-greenhouse-scenario': scenario },
    })
    await expect(
      reply.then((response) => response.text()),
      scenario,
    ).rejects.toThrow()
    expect((await look(url, 'w1'))[0], scenario).toBe(200)
  }
})

const takePage = createSharedPage({})

testBehind(
  canRun ? ['haproxy'] : [],
  'each page of the panel follows the world that it shows, whichever process has it',
  async (proxy) => {
    const { url } = await startProxied(proxy)
    const page = await takePage()
    const streams = new Set<object>()
    const context = page.context()
    context.on('request', (request) => request.url().includes('/events') && streams.add(request))
    context.on('requestfailed', (request) => streams.delete(request))
    context.on('requestfinished', (request) => streams.delete(request))
    const worlds = Array.from({ length: 4 }, (_, index) => `w${index}`)
    await page.goto(`${url}/__greenhouse/#/traffic?world=w0`)
    await page.getByText('live', { exact: true }).waitFor()
    const pages = [page, ...(await addPages(page, 3, (index) => `#/traffic?world=w${index + 1}`))]
    await expect.poll(() => streams.size).toBe(4)
    for (const one of pages) expect(await answersIn(one)).toEqual([200, 200])
    const headers = { authorization: 'Bearer key_pro' }
    for (const world of worlds)
      expect((await fetch(`${url}/~${world}/plants?limit=7`, { headers })).status).toBe(200)
    for (const one of pages) await shows(one, 'limit=7')
    for (const one of pages.splice(2)) await one.close()
    for (const world of worlds) await fetch(`${url}/~${world}/plants?limit=8`, { headers })
    for (const one of pages) await shows(one, 'limit=8')
  },
)
