import { expect } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { toCaseText } from 'greenhouse-mock/parts'
import { download } from './page.ts'
import { fillWorld } from './world.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import type { Page } from 'playwright-core'

async function record() {
  const greenhouse = createGreenhouse({ now: '2026-03-01T12:00:30.000Z', frozen: true })
  await fillWorld(greenhouse)
  return toCaseText(greenhouse.world().toCase('A bad day'))
}

async function openFile(page: Page, name: string, text: string) {
  await page.getByRole('button', { name: 'Open, save or clear the traffic' }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Open a case or HAR…' }).click(),
  ])
  await chooser.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
}

test('a file with a case is replayed in a new world, which the page shows', async () => {
  const { page, greenhouse, world } = await openPanel('#/traffic')
  await openFile(page, 'bad day.case.yaml', await record())
  await page.getByText(/Opened A bad day: \d+ requests, answered as recorded/).waitFor()
  const limited = greenhouse.world('bad-day').journal.calls({ operation: 'apps.list', status: 429 })
  expect(limited).toHaveLength(1)
  await page.locator('.traffic-list').getByText('apps.list').first().waitFor()
  expect(page.url()).toContain('world=bad-day')
  expect(world.journal.size).toBe(0)
  await openFile(page, 'bad day.case.yaml', await record())
  await page.waitForURL(/world=bad-day-2/)
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
  const counts = 'Opened session.har: 2 requests, 1 for other services left out.'
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
  expect(await items.count()).toBe(4)
  const { file, text } = await download(page, () => items.filter({ hasText: 'HAR' }).last().click())
  expect([file, JSON.parse(text)]).toMatchObject(['default.har', { log: { version: '1.2', entries: { length: 1 } } }])
})

test.each([
  ['broken.json', '{"case": 1,', /broken\.json is not JSON/],
  ['wrong.case.yaml', 'case: 1\nsteps: [{ use: [slwo] }]', /Did you mean "slow"\?/],
  ['empty.har', '{"log": {"entries": []}}', /None of the 0 requests/],
  ['large.yaml', `case: 1 #${'x'.repeat(140_000)}`, /greenhouse-mock serve --case large\.yaml/],
  ['huge.har', ' '.repeat(2 ** 20), /huge\.har is larger than 1 MiB/],
])('a wrong file is explained, and no world is made of it: %s', async (name, text, message) => {
  const { page, greenhouse } = await openPanel('#/traffic')
  await openFile(page, name, text)
  await page.getByText(message).first().waitFor()
  expect(greenhouse.worlds()).toEqual(['default'])
})
