import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { copyAs, openSent, requestsOf } from './page.ts'
import { requestOf, fillJournal } from './world.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'

const body = JSON.stringify({ id: 1000, name: "O'Ficus $HOME `x`", tag: 'tree' })

const runShell = (text: string) => promisify(execFile)('sh', ['-c', text])
const runNode = (text: string) => promisify(execFile)(process.execPath, ['--input-type=module', '-e', text])

test.each([
  ['curl', runShell],
  ['fetch', runNode],
])('a request copied as %s does the same again', async (form, run) => {
  const { page, greenhouse, send } = await openPanel('#/traffic')
  await send('/~checkout/plants', { method: 'POST', body })
  await page.goto(page.url().replace(/#.*/, '#/traffic/1?world=checkout'))
  await run(await copyAs(page, form))
  const [first, again] = greenhouse.world('checkout').journal.calls()
  expect(first!.response.status).toBe(200)
  expect(again!.request).toMatchObject({ method: 'POST', url: '/~checkout/plants', body })
  expect(again!.request.headers['authorization']).toBe(first!.request.headers['authorization'])
  expect(again!.reason).toMatch(/1000/)
})

test('a request copied as curl is one request, whatever its URL and headers have', async () => {
  const url = '/plants?tag={a,b}&limit=[1-3]'
  const { page, world } = await openSent(url, { headers: { 'x-empty': '' } })
  await runShell(await copyAs(page, 'curl'))
  const [, ...others] = world.journal.calls()
  expect(others.map(({ request }) => [request.url, request.headers['x-empty']])).toEqual([[url, '']])
})

test('a request copied as HTTPie names method, URL, headers and body', async () => {
  const { page, server } = await openSent('/plants', { method: 'POST', body: '{"id":7,"name":"Fern"}' })
  expect(await copyAs(page, 'HTTPie')).toBe(
    `http --raw '{"id":7,"name":"Fern"}' POST '${server.url}/plants' 'authorization:Bearer key_pro' 'content-type:application/json'`,
  )
})

test('a copied request has the name of its key before the list has the request', async () => {
  const { page } = await openPanel('#/traffic/1', {
    before: (greenhouse) => greenhouse.fetch(requestOf('/plants')),
    route: (made) => made.route('**/journal?*', () => undefined),
  })
  expect(await copyAs(page, 'curl')).toContain(`-H 'authorization: Bearer key_pro'`)
})

test('a copied request has $KEY as a placeholder for a key that the journal does not know', async () => {
  const { page } = await openSent('/plants', { key: 'sk_0123456789abcdef' })
  const text = await copyAs(page, 'curl', 'Set KEY: the journal keeps no keys.')
  expect(text).toContain('-H "authorization: Bearer $KEY"')
  expect(text).not.toContain('0123456789')
})

test('a request is sent again with its real key, and its new entry opens', async () => {
  const { page } = await openSent('/plants', { method: 'POST', body })
  await page.getByRole('button', { name: 'Send again', exact: true }).click()
  await page.getByRole('complementary', { name: 'Request 2' }).waitFor()
  await expect.poll(() => page.locator('.virtual-row').count()).toBe(2)
  expect(await page.locator('.virtual-row').first().textContent()).toContain('key_pro')
})

test('a list of 20,000 requests draws only what is in sight, and stays where one reads', async () => {
  const { page, send } = await openPanel('#/traffic', {
    greenhouse: { journal: { entries: 25_000, bytes: 2 ** 27, memory: 2 ** 28 } },
    before: (greenhouse) => fillJournal(greenhouse, 20_000),
  })
  await expect.poll(() => page.locator('.view-head [role=status]').innerText()).toBe('20\u202f000 requests')
  const rows = requestsOf(page)
  expect(await rows.count()).toBeLessThan(60)
  await page.keyboard.press('j')
  await page.keyboard.press('End')
  await page.getByTitle('/plants/1', { exact: true }).waitFor()
  expect(await rows.count()).toBeLessThan(60)
  await page.keyboard.press('Home')
  await rows.filter({ hasText: '/plants/20000' }).waitFor()

  await page.locator('.virtual-list').evaluate((list) => void (list.scrollTop = 3_200))
  await rows.filter({ hasText: '/plants/19900' }).waitFor()
  const inSight = () => rows.filter({ hasText: '/plants/19890' }).evaluate((row) => row.getBoundingClientRect().top)
  const before = await inSight()
  for (let limit = 1; limit <= 5; limit++) await send(`/v1/apps?limit=${limit}`, { key: 'key_lite' })
  await expect.poll(() => page.locator('.virtual-list').evaluate((list) => list.scrollTop)).toBe(3_200 + 5 * 32)
  expect(await inSight()).toBe(before)
})
