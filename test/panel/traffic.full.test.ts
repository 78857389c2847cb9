import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  chooseItem,
  click,
  download,
  press,
  requestsOf,
  countOf,
  copied,
  openFile,
  go,
  hashOf,
} from './page.ts'
import { fillWorld, openPanel, test } from './world.ts'
import { createGreenhouse, toCaseText } from 'greenhouse-mock'

const codeForms = (page: Page) => page.getByRole('navigation', { name: 'Code' }).getByRole('link')

test('the traffic starts over when the journal does', async () => {
  const { page, send, world } = await openPanel('#/traffic')
  await send('/plants')
  const rows = requestsOf(page)
  await rows.first().waitFor()
  world.journal.clear()
  await page.getByText('No requests yet').waitFor()
  await send('/plants?limit=1')
  await expect.poll(() => rows.count()).toBe(1)
  await chooseItem(page, 'Open, save or clear the traffic', 'Clear the traffic')
  await press(page.getByRole('dialog', { name: 'Clear the traffic?' }), 'Clear', 'No requests yet')
  expect(world.journal.size).toBe(0)
})

test('requests that the journal dropped say so, and are counted once the list has them no more', async () => {
  const { page, send } = await openPanel('#/traffic', { greenhouse: { journal: { entries: 3 } } })
  await page.getByText('No requests yet').waitFor()
  for (const limit of [1, 2, 3, 4, 5]) await send(`/plants?limit=${limit}`)
  await expect.poll(() => requestsOf(page).count()).toBe(5)
  const count = countOf(page)
  await expect.poll(() => count.innerText()).toBe('5 requests')
  await requestsOf(page).last().click()
  await page.getByText('headers and bodies are gone').waitFor()
  await expect.poll(() => page.getByRole('complementary').innerText()).toContain('/plants?limit=1')
  await page.reload()
  await expect.poll(() => requestsOf(page).count()).toBe(3)
  await expect.poll(() => count.innerText()).toBe('3 requests, 2 older gone')
  await send('/plants?limit=6')
  await expect.poll(() => count.innerText()).toBe('4 requests, 2 older gone')
})

test('words with the name of a field filter by it, and the heads of columns sort', async () => {
  const { page } = await openPanel('#/traffic', { before: fillWorld })
  const rows = requestsOf(page)
  await expect.poll(() => rows.count()).toBe(7)
  const search = page.getByLabel('Filter requests by text')
  for (const [text, count] of [
    ['status:4xx', 5],
    ['status:4xx op:plants', 3],
    ['op:plants.list key:revoked', 1],
    ['scenario:server-error', 1],
    ['scenario:null', 5],
    ['method:post', 2],
    ['method:post must', 1],
    ['path:/v1/*', 3],
    ['key:free limt', 1],
  ] as const) {
    await search.fill(text)
    await expect
      .poll(() => countOf(page).innerText(), { message: text })
      .toBe(`${count} of 7 requests`)
  }
  await search.fill('')
  const statuses = () => page.locator('.traffic-row:not(.traffic-names) .badge').allInnerTexts()
  const heads = page.getByRole('group', { name: 'Sort the requests' })
  await click(heads, 'Status')
  await expect.poll(statuses).toEqual((await statuses()).toSorted())
  await click(heads, 'Status')
  await expect.poll(async () => (await statuses())[0]).toBe('500')
  await page.reload()
  await expect.poll(async () => (await statuses())[0]).toBe('500')
})

test('requests that reach no world are counted in a line, as they come, with what allows them', async () => {
  const { page, send } = await openPanel('#/traffic')
  await page.getByText('No requests yet').waitFor()
  await send('/plants', { headers: { 'x-greenhouse-scenario': 'nope' } })
  const line = page.getByText('1 request reached no world')
  await line.waitFor()
  await send('/plants', {
    headers: { 'sec-fetch-site': 'cross-site', origin: 'http://other.test' },
  })
  await page.getByText('2 requests reached no world').waitFor()
  await expect
    .poll(() => page.locator('.callout', { hasText: 'reached no world' }).innerText())
    .toContain('(--cors ORIGIN allows it)')
})

const path = `/v1/apps?cursor=${'a'.repeat(200)}the-end`

test.each([
  ['at 1280×640', { width: 1280, height: 640 }],
  ['at 200 % zoom', { width: 640, height: 320 }],
])(
  'five rows, then why the reply is what it is and the reply, are on the screen %s',
  async (_, viewport) => {
    const { page, send } = await openPanel('#/traffic', { browser: { viewport } })
    for (let limit = 1; limit <= 5; limit++) await send(`/plants?limit=${limit}`)
    await send(path)
    const isSeen = (element: Locator) =>
      element.evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect()
        return one.checkVisibility() && top >= 0 && bottom <= innerHeight
      })
    const isWhole = (element: Locator) =>
      element.evaluate((one) => one.scrollWidth <= one.clientWidth)
    const rows = requestsOf(page)
    await expect.poll(() => rows.count()).toBe(6)
    expect(await isWhole(page.getByRole('navigation', { name: 'Parts of Traffic' }))).toBe(true)
    for (const row of (await rows.all()).slice(0, 5)) expect(await isSeen(row)).toBe(true)
    await rows.first().click()
    const detail = page.getByRole('complementary')
    const end = detail.getByTitle(path).getByText('the-end')
    expect([await isSeen(end), await isWhole(end)]).toEqual([true, true])
    for (const part of [
      detail.getByLabel('Why this reply'),
      detail.getByRole('heading', { name: 'Body' }),
    ])
      await expect.poll(() => isSeen(part)).toBe(true)
  },
)

const ofCheckout = { worlds: ['checkout'] }

test('the code for curl and fetch works as it is pasted', async () => {
  const { page, greenhouse } = await openPanel(
    '#/traffic?tab=connect&world=checkout&key=key_lite',
    ofCheckout,
  )
  const run = promisify(execFile)
  for (const [form, command, ...words] of [
    ['curl', 'sh', '-c'],
    ['fetch', process.execPath, '--input-type=module', '-e'],
  ] as const) {
    await page.getByRole('link', { name: form, exact: true }).click()
    await run(command, [...words, await copied(page, `the code for ${form}`)])
  }
  const calls = greenhouse.world('checkout').journal.calls()
  const expected = ['plants.list', 'apps.list', 'plants.create', 'plants.list']
  expect(calls).toMatchObject(
    expected.map((operation) => ({ operation, response: { status: 200 } })),
  )
  expect(greenhouse.world().journal.size).toBe(0)
})

test('with one area, an empty list shows only the base URL and code of that area', async () => {
  const { page, server, send } = await openPanel('#/traffic', { greenhouse: { areas: ['plants'] } })
  await page.getByText(server.url, { exact: true }).waitFor()
  await expect.poll(() => page.getByText('App management').count()).toBe(0)
  const forms = ['curl', 'fetch', 'Vitest', 'Jest', 'Playwright', 'node:test']
  await expect.poll(() => codeForms(page).allInnerTexts()).toEqual(forms)
  await expect.poll(() => page.locator('main').innerText()).not.toContain('/v1')
  await send('/plants')
  await requestsOf(page).first().waitFor()
  await expect.poll(() => page.getByText(server.url, { exact: true }).count()).toBe(0)
})

test('with fixtures that have other keys, the plan of the key that is sent is spent', async () => {
  const { page } = await openPanel('', {
    greenhouse: {
      fixtures: {
        accounts: [{ id: 'acct_x', name: 'X', email: 'x@example.com', plan: 'pro_plus' }],
        keys: [{ secret: 'key_x', account: 'acct_x' }],
      },
    },
  })
  await press(page, 'Spend the quota of pro_plus', 'The quota of the plan pro_plus is spent')
  await press(page, 'Send GET /v1/apps', 'GET /v1/apps was answered with 429')
})

test('a file with an archive is sent again, without requests of other services and with a key', async () => {
  const { page, greenhouse } = await openPanel('#/traffic')
  const entry = (url: string, status: number) => ({
    startedDateTime: '2026-03-01T12:00:30.123Z',
    request: { method: 'GET', url, headers: [{ name: 'Accept', value: '*/*' }] },
    response: { status, content: {} },
  })
  const entries = [
    entry('https://api.example.com/shop/plants?limit=2', 200),
    entry('https://cdn.example.com/logo.png', 200),
    entry('https://api.example.com/v1/apps', 500),
  ]
  await openFile(page, 'session.har', JSON.stringify({ log: { entries } }))
  const counts = 'Opened session.har: 2 requests, left out 1 for other services.'
  await page.getByText(`${counts} Here GET /v1/apps is answered differently: status`).waitFor()
  const [first] = greenhouse.world('session').journal.calls()
  const request = expect.objectContaining({ url: '/plants?limit=2' })
  expect(first).toMatchObject({ operation: 'plants.list', request, response: { status: 200 } })
})

test('a menu that is open stays so when the first request arrives, and downloads it as a HAR', async () => {
  const { page, send } = await openPanel('#/traffic')
  await page.getByText('No requests yet').waitFor()
  await page.getByRole('button', { name: 'Open, save or clear the traffic' }).click()
  await page.getByRole('menuitem', { name: 'Download as HAR', disabled: true }).waitFor()
  await send('/plants')
  await page.getByRole('menuitem', { name: 'Download as HAR', disabled: false }).waitFor()
  await page.locator('.traffic-list').getByText('plants.list').waitFor()
  const items = page.getByRole('menuitem').filter({ visible: true })
  await expect.poll(() => items.count()).toBe(4)
  const { file, text } = await download(page, () => items.filter({ hasText: 'HAR' }).last().click())
  expect([file, JSON.parse(text)]).toMatchObject([
    'default.har',
    { log: { version: '1.2', entries: { length: 1 } } },
  ])
})

test.each([
  ['broken.json', '{"case": 1,', /broken\.json is not JSON/],
  ['wrong.case.yaml', 'case: 1\nsteps: [{ use: [slwo] }]', /Did you mean "slow"\?/],
  ['empty.har', '{"log": {"entries": []}}', /None of the 0 requests/],
  ['large.yaml', `case: 1 #${'x'.repeat(140_000)}`, /greenhouse-mock serve --case large\.yaml/],
  ['huge.har', ' '.repeat(2 ** 20), /huge\.har is larger than 1 MiB\. Save fewer requests in it/],
  ['quotes.har', '"'.repeat(2 ** 19), /quotes\.har is larger than 1 MiB/],
  [
    'huge.yaml',
    'ü'.repeat(2 ** 19),
    /larger than 1 MiB\. Open it with: greenhouse-mock serve --case/,
  ],
])('a wrong file is explained, and no world is made of it: %s', async (name, text, message) => {
  const { page, greenhouse } = await openPanel('#/traffic')
  await openFile(page, name, text)
  await page.getByText(message).first().waitFor()
  expect(greenhouse.worlds()).toEqual(['default'])
})

async function record() {
  const greenhouse = createGreenhouse({ now: '2026-03-01T12:00:30.000Z', frozen: true })
  await fillWorld(greenhouse)
  return toCaseText(greenhouse.world().toCase('A bad day'))
}

test('a pause of the traffic holds the list, loses nothing, and says so where the list is empty', async () => {
  const { page, send } = await openPanel('#/traffic')
  const rows = requestsOf(page)
  await page.getByText('No requests yet').waitFor()
  await page.keyboard.press('p')
  await send('/plants?limit=1')
  await page.getByText('The list is paused').waitFor()
  await click(page, 'Resume, 1 new')
  await rows.first().waitFor()
  await click(page, /^Pause/)
  for (let limit = 2; limit <= 6; limit++) await send(`/plants?limit=${limit}`)
  const resume = page.getByRole('button', { name: 'Resume, 5 new' })
  await resume.waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  for (const view of ['Time', 'Traffic'])
    await page.locator('.side-bar a', { hasText: view }).click()
  await resume.click()
  await expect.poll(() => rows.count()).toBe(6)
  await expect.poll(() => rows.first().innerText()).toContain('limit=6')
})

test('the report lists failed rules first with requests and next tests, and keeps its filter', async () => {
  const { page, send } = await openPanel('#/traffic?tab=report', {
    greenhouse: { use: ['forbidden'] },
  })
  const rules = page.getByRole('table', { name: 'Rules' })
  const rows = rules.locator('tbody tr')
  await expect.poll(() => rules.innerText()).toContain('stops-on-bad-key')
  await expect.poll(() => rules.innerText()).not.toContain('failed')
  for (const _ of [1, 2]) await send('/plants')
  await expect.poll(() => rows.first().innerText()).toMatch(/failed\s+no-retry-of-4xx/)
  await expect
    .poll(() => page.getByRole('list', { name: 'Next tests' }).innerText())
    .toContain("world.use('expired-key')")
  const row = page
    .getByRole('table', { name: 'Operations' })
    .locator('tr', { hasText: 'plants.list' })
  await expect.poll(() => row.innerText()).toContain('2/3')
  await page.getByRole('combobox', { name: 'Result' }).selectOption('failed')
  await expect.poll(() => rows.count()).toBe(1)
  await page.reload()
  await expect.poll(() => rows.count()).toBe(1)
  await rows.first().getByRole('link').last().click()
  await expect.poll(() => hashOf(page)).toMatch(/^#\/traffic\/2\b/)
  await page.getByRole('complementary', { name: 'Request 2' }).waitFor()
})

test('base URLs and keys of each world can be copied, and keys are up to date', async () => {
  const { page, server, greenhouse } = await openPanel(
    '#/traffic?tab=connect&world=checkout',
    ofCheckout,
  )
  expect(await copied(page, 'key_free@checkout')).toBe('key_free@checkout')
  for (const [service, path] of [
    ['plant store', '/plants'],
    ['app management', '/apps'],
  ] as const) {
    const url = await copied(page, `the URL of the ${service}`)
    const response = await fetch(url + path, { headers: { authorization: 'Bearer key_pro' } })
    expect([url.startsWith(`${server.url}/~checkout`), response.status]).toEqual([true, 200])
  }
  const { journal, records, clock } = greenhouse.world('checkout')
  expect(journal.size).toBe(2)
  const row = (key: string) => page.getByRole('row', { name: `Copy ${key}@checkout` })
  await expect.poll(() => row('key_pro').innerText()).not.toContain('revoked')
  records.accounts.update('acct_pro', { plan: 'free' })
  records.keys.update('key_pro', { revoked: true })
  records.keys.update('key_lite', { expires_at: new Date(clock.now() + 60_000).toISOString() })
  await expect.poll(() => row('key_pro').innerText()).toMatch(/free.*revoked/s)
  await expect.poll(() => row('key_lite').innerText()).toContain('expires 20')
  clock.advance('1h')
  await expect.poll(() => row('key_lite').innerText()).toContain('expired 20')
  await go(page, '#/traffic?tab=connect&world=default')
  await expect.poll(() => page.getByText('/~').count()).toBe(0)
  expect(await copied(page, 'the URL of the app management')).toBe(`${server.url}/v1`)
})

test('a file with a case is replayed in a new world, which the page shows', async () => {
  const { page, greenhouse, world } = await openPanel('#/traffic')
  await openFile(page, 'bad day.case.yaml', await record())
  await page.getByText(/Opened A bad day: \d+ requests, answered as recorded/).waitFor()
  const limited = greenhouse.world('bad-day').journal.calls({ operation: 'apps.list', status: 429 })
  expect(limited).toHaveLength(1)
  await page.locator('.traffic-list').getByText('minute quota of plan').first().waitFor()
  expect(page.url()).toContain('world=bad-day')
  expect(world.journal.size).toBe(0)
  await openFile(page, 'bad day.case.yaml', await record())
  await page.waitForURL(/world=bad-day-2/)
})
