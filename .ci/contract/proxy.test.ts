import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { loadScenarios } from 'greenhouse-mock/node'
import { serve } from 'greenhouse-mock/server'
import { createOpenApi } from '../../src/contract/document/index.ts'
import { mixRequests, replay } from '../../test/proxy/deviating-service.ts'
import { expectSame, standInFront } from '../../test/proxy/in-front.ts'
import { startJsonServer, startPrism } from './programs.ts'

const json = { 'content-type': 'application/json' }

test('json-server behind the proxy: nothing is lost, and nothing hangs', async () => {
  const plants = Array.from({ length: 500 }, (_, id) => ({
    id: id + 1,
    name: `Plant ${id}`,
    tag: `tag-${id % 9}`,
  }))
  // The same data twice, since requests change it.
  const [real, direct] = await Promise.all([
    startJsonServer({ plants, apps: [] }),
    startJsonServer({ plants, apps: [] }),
  ])
  const { send, world } = await standInFront({ plants: real, apps: `${real}/v1` })
  const etag = (await fetch(`${direct}/plants`)).headers.get('etag')!
  const body = JSON.stringify({ id: 900, name: 'Fern', tag: 'shade' })
  const asked: [string, RequestInit?][] = [
    ['/plants'],
    ['/plants', { headers: { 'if-none-match': etag } }],
    ['/plants', { headers: { 'accept-encoding': 'identity' } }],
    ['/plants?_page=2&_limit=7&tag_like=tag-[1-3]&q='],
    ['/plants?name=Plant%201&name=Plant+2'],
    ['/plants', { method: 'HEAD' }],
    ['/plants', { method: 'OPTIONS' }],
    ['/plants', { method: 'POST', headers: json, body }],
    ['/plants', { method: 'POST', headers: json, body }],
    ['/plants', { method: 'POST', headers: json, body: '{' }],
    [
      '/plants',
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'id=901&name=a+b',
      },
    ],
    ['/plants/900', { method: 'PUT', headers: json, body }],
    ['/plants/900', { method: 'PATCH', headers: json, body: '{"tag":null}' }],
    ['/plants/900', { method: 'DELETE' }],
    ['/plants/900', { method: 'DELETE' }],
    ['/plants/%39'],
    ['/v1'],
    ['/nothing'],
  ]
  await expectSame(asked, send, direct)
  expect(world.journal.calls({ operation: 'plants.list' }).at(-1)!.reason).toBe(
    `answered by ${real}`,
  )
})

test('json-server, recorded, is answered again without a difference', async () => {
  const plants = Array.from({ length: 30 }, (_, id) => ({
    id: id + 1,
    name: `Plant ${id}`,
    note: 'x'.repeat(id * 40),
  }))
  const real = await startJsonServer({ plants, apps: [] })
  const folder = join(mkdtempSync(join(tmpdir(), 'recorded-')), 'recorded')
  onTestFinished(() => rmSync(dirname(folder), { recursive: true }))
  const { url, server } = await standInFront({ plants: real, apps: `${real}/v1`, record: folder })
  const asked = mixRequests(300, ['key_pro'], 3)
  const seen = await replay(url, asked)
  await server.close()
  const mock = await serve(
    createGreenhouse({ scenarios: loadScenarios(join(folder, 'scenarios')) as never }),
  )
  onTestFinished(() => mock.close())
  const [again, expected] = [
    await replay(`${mock.url}/~recorded`, asked, {
      'x-greenhouse-scenario': 'recorded:others=404',
    }),
    seen,
  ].map((replies) => replies.map(({ status, body }) => ({ status, body })))
  expect(again).toEqual(expected)
})

test('Prism behind the proxy: nothing is lost, and nothing hangs', async () => {
  const target = await startPrism(await createOpenApi(), 'mock')
  const { send } = await standInFront({ plants: target, apps: `${target}/v1` })
  const asked: [string, RequestInit?][] = [
    ['/plants'],
    ['/plants?limit=x'],
    ['/plants', { headers: { authorization: '' } }],
    ['/plants', { headers: { prefer: 'code=429' } }],
    ['/plants', { method: 'HEAD' }],
    ['/plants', { method: 'POST', headers: json, body: '{"id":1,"name":"Fern"}' }],
    ['/plants', { method: 'POST', headers: json, body: '{"name":5}' }],
    ['/plants/1', { method: 'DELETE' }],
    ['/plants', { method: 'PATCH', headers: json, body: '{}' }],
    ['/v1/apps'],
    ['/v1/apps', { method: 'POST', headers: json, body: '{"name":"helper"}' }],
    ['/v1/nothing'],
  ]
  await expectSame(asked, send, target)
})
