import { isBuiltin } from 'node:module'
import { beforeAll, describe, expect, test } from 'vitest'
import { canRun } from './chromium.ts'
import { bundlePage, runPage } from './site.ts'
import { createStillGreenhouse, record, type Line } from './transcript.ts'

const chunks = bundlePage()

test('a bundle for a page needs no module from outside it, of Node or other', async () => {
  const own = new Set((await chunks).map((chunk) => chunk.fileName))
  const imports = (await chunks).flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports])
  expect(imports.filter((name) => !own.has(name))).toEqual([])
  const modules = (await chunks).flatMap((chunk) => chunk.moduleIds)
  expect(modules.filter((id) => isBuiltin(id) || id.includes('__vite-browser-external'))).toEqual(
    [],
  )
})

describe.skipIf(!canRun)('in a page', () => {
  let inPage: Line[]
  let inNode: Line[]

  beforeAll(async () => {
    const greenhouse = createStillGreenhouse()
    inNode = await record((request) => greenhouse.fetch(request))
    const { result, errors } = await runPage(await chunks, (page) =>
      page.evaluate(() => globalThis.recordInPage()),
    )
    expect(errors).toEqual([])
    inPage = result
  })

  test('the replies are what the transcript is about', () => {
    expect(inPage.slice(0, 17).map(({ request, status }) => `${request} → ${status}`)).toEqual([
      'POST http://plants.test/plants → 200',
      'POST http://plants.test/plants → 200',
      'POST http://plants.test/plants → 400',
      'GET http://plants.test/plants?limit=3 → 200',
      'GET http://plants.test/plants → 200',
      'GET http://plants.test/plants → 200',
      'DELETE http://plants.test/plants/9007199254740994 → 404',
      'DELETE http://plants.test/plants/9007199254740995 → 204',
      'POST http://apps.test/v1/apps → 201',
      'GET http://apps.test/v1/apps?limit=2 → 200',
      'GET http://apps.test/v1/apps → 401',
      'GET http://apps.test/v1/apps → 401',
      'GET http://apps.test/v1/apps → 200',
      'GET http://apps.test/v1/nothing-here → 404',
      expect.stringMatching(/^POST .*\/conversations → 201$/),
      expect.stringMatching(/^POST .*\/messages → 200$/),
      expect.stringMatching(/^GET .*\/usage\?interval=hour → 200$/),
    ])
    expect(inPage[15]!.body).toMatch(
      /^event: message\.delta\ndata: .*“Wächst .*event: message\.completed\ndata: .*\n\n$/s,
    )
    expect(inPage[1]!.body).toContain('9007199254740995')
    expect(inPage[5]!.body).not.toBe(inPage[4]!.body)
    expect(Object.fromEntries(inPage[9]!.headers)).toMatchObject({
      'x-ratelimit-limit': '300',
      'x-ratelimit-remaining': '298',
    })
    expect(inPage.slice(17).map(({ status }) => status)).toEqual([
      ...Array.from({ length: 60 }, () => 404),
      429,
    ])
  })

  test.each(Array.from({ length: 17 }, (_, index) => index))(
    'reply %i is the one that Node gets, to the byte',
    (index) => expect(inPage[index]).toEqual(inNode[index]),
  )

  test('all sixty replies of a minute, and the rejection after them, are those that Node gets', () => {
    expect(inPage.slice(17)).toEqual(inNode.slice(17))
  })
})

test.skipIf(!canRun)(
  'a page whose MSW logs replies sees a stream break off, and logs it too',
  async () => {
    const { result, errors, messages } = await runPage(await chunks, (page) =>
      page.evaluate(() => globalThis.breakStreamInPage()),
    )
    expect([result, errors]).toEqual(['200 TypeError', []])
    expect(messages.filter((text) => text.includes('/messages'))).toHaveLength(1)
  },
)
