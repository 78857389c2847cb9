import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { copyAs, openSent, requestsOf } from './page.ts'
import { requestOf } from './world.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'

const url = '/plants?tag={a,b}&limit=[1-3]'
const body = JSON.stringify({ id: 1000, name: "O'Ficus $HOME `x`", tag: 'tree' })

test('a request copied as curl or fetch, or sent again, is the same to the byte', async () => {
  const { page, world } = await openSent(url, { method: 'POST', body, headers: { 'x-empty': '' } })
  const run = promisify(execFile)
  await run('sh', ['-c', await copyAs(page, 'curl')])
  await run(process.execPath, ['--input-type=module', '-e', await copyAs(page, 'fetch')])
  await page.getByRole('button', { name: 'Send again', exact: true }).click()
  await page.getByRole('complementary', { name: 'Request 4' }).waitFor()
  const [first, ...others] = world.journal.calls()
  expect(first!.request.headers['x-empty']).toBe('')
  for (const { request } of others) {
    expect(request).toMatchObject({ method: 'POST', url, body })
    expect(request.headers['authorization']).toBe(first!.request.headers['authorization'])
  }
  await expect.poll(() => requestsOf(page).count()).toBe(4)
  expect(await requestsOf(page).first().textContent()).toContain('key_pro')
})

test('a list of 20,000 requests draws only what is in sight, and stays where one reads', async () => {
  const { page, send } = await openPanel('#/traffic', {
    greenhouse: { journal: { entries: 25_000, bytes: 2 ** 27, memory: 2 ** 28 } },
    async before(greenhouse) {
      for (let id = 1; id <= 20_000; id++) await (await greenhouse.fetch(requestOf(`/plants/${id}`))).text()
    },
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
