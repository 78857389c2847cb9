import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse, type Greenhouse, type GreenhouseOptions } from 'greenhouse-mock'
import { traceOf } from '../guard/rejected.ts'
import { canRun, launch } from './chromium.ts'
import { openRelay, serveStranger } from './strangers.ts'

declare global {
  var attacks: Record<string, (url: string) => Promise<unknown>>
}

const names =
  'image script style frame sandboxedFrame noCors noCorsPost cors corsWithKey beacon eventSource socket form'.split(
    ' ',
  )

describe.skipIf(!canRun)('a real browser', () => {
  let browser: Browser
  let stranger: { port: number; close(): void }

  beforeAll(async () => {
    stranger = await serveStranger()
    browser = await launch(['--host-resolver-rules=MAP *.example 127.0.0.1'])
  })

  afterAll(async () => {
    await browser?.close()
    stranger?.close()
  })

  /** Serves a Greenhouse and notes who each request was taken to be of. */
  async function open(options: GreenhouseOptions = {}) {
    const greenhouse = createGreenhouse(options)
    const judged: string[] = []
    const { admit } = greenhouse
    const noting: Greenhouse['admit'] = (request, isOwnHost) => {
      const verdict = admit(request, isOwnHost)
      judged.push(typeof verdict === 'string' ? verdict : String(verdict.status))
      return verdict
    }
    const server = await serve(Object.assign(greenhouse, { admit: noting }))
    onTestFinished(() => server.close())
    return { greenhouse, server, judged }
  }

  async function visit(url: string): Promise<Page> {
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    await page.goto(url)
    return page
  }

  const attack = (page: Page, name: string, url: string) =>
    page.evaluate(
      ([name, url]) => Promise.resolve(globalThis.attacks[name!]!(url!)).then(() => undefined),
      [name, url] as const,
    )

  test('shows a page of another site that reaches no world, by whatever it sends', async () => {
    const { greenhouse, server, judged } = await open()
    const before = traceOf(greenhouse)
    const page = await visit(`http://attacker.example:${stranger.port}/`)
    for (const name of names) {
      const seen = judged.length
      for (const path of ['/~made/plants', '/~made/v1/webhooks'])
        await attack(page, name, server.url + path)
      // Each leaves a request behind, or the test would show nothing; a frame's and a beacon's may
      // come a little later.
      await expect.poll(() => judged.length, { message: name }).toBeGreaterThanOrEqual(seen + 2)
    }
    expect(new Set(judged)).toEqual(new Set(['403']))
    expect(traceOf(greenhouse)).toEqual(before)
  })

  test('shows a page of another site that does nothing to the control API', async () => {
    const { greenhouse, server } = await open()
    greenhouse.world().use('expired-key')
    const statuses = new Map<string, number>()
    const page = await visit(`http://attacker.example:${stranger.port}/`)
    page.on(
      'response',
      (response) => void statuses.set(response.url().split('?')[1]!, response.status()),
    )
    for (const name of names)
      await attack(page, name, `${server.url}/__greenhouse/worlds/default/reset?${name}`)
    for (const name of ['frame', 'noCorsPost', 'form']) expect(statuses.get(name), name).toBe(403)
    expect(new Set(statuses.values())).toEqual(new Set([403]))
    expect(greenhouse.world().active).toHaveLength(1)
  })

  test('shows a name that is led to this machine and reaches nothing', async () => {
    const { greenhouse, server, judged } = await open()
    const before = traceOf(greenhouse)
    const relay = await openRelay(stranger.port)
    const page = await visit(`http://rebind.example:${relay.port}/`)
    relay.leadTo(server.port)
    const ask = (path: string, init: { method?: string; body?: string }) =>
      page.evaluate(
        async ([url, given]) => {
          const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
          return (await fetch(url, { ...given, headers })).status
        },
        [path, init] as const,
      )
    expect(await ask('/~made/plants', {})).toBe(403)
    expect(await ask('/plants', { method: 'POST', body: '{"id":4711,"name":"Weed"}' })).toBe(403)
    expect(
      await ask('/v1/webhooks', { method: 'POST', body: '{"url":"http://127.0.0.1:1/"}' }),
    ).toBe(403)
    expect(await ask('/__greenhouse/worlds/default/reset', { method: 'POST' })).toBe(403)
    expect(await ask('/__greenhouse/worlds', {})).toBe(403)
    expect(judged).toEqual(['403', '403', '403'])
    expect(traceOf(greenhouse)).toEqual(before)
    relay.close()
  })

  const create = (page: Page, url: string) =>
    page.evaluate(async (url) => {
      const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
      const made = await fetch(url, { method: 'POST', headers, body: '{"id":4711,"name":"Ficus"}' })
      return [made.status, await made.json(), made.headers.get('x-greenhouse')]
    }, url)

  test.each(['127.0.0.1', 'localhost'])(
    'lets a page of this machine call from another port of %s, and read the reply',
    async (host) => {
      const { greenhouse, server } = await open()
      const page = await visit(`http://${host}:${stranger.port}/`)
      const answered = [200, { name: 'Ficus' }, 'world=made; operation=plants.create']
      expect(await create(page, `${server.url}/~made/plants`)).toEqual(answered)
      expect(greenhouse.world('made').records.plants.get(4711)).toBeDefined()
    },
  )

  test('lets a page call whose origin was named', async () => {
    const { server, judged } = await open({ cors: [`http://shop.example:${stranger.port}`] })
    const page = await visit(`http://shop.example:${stranger.port}/`)
    expect((await create(page, `${server.url}/plants`))[0]).toBe(200)
    await attack(page, 'image', `${server.url}/~made/plants`)
    expect(judged).toEqual(['allowedOrigin', 'allowedOrigin', '403'])
  })

  test('opens a URL that was typed', async () => {
    const { server, judged } = await open()
    const page = await visit('about:blank')
    expect((await page.goto(`${server.url}/plants`))!.status()).toBe(401)
    expect(judged[0]).toBe('own')
  })
})
