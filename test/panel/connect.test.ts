import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { click, clipboardOf, go, press, requestsOf, undo } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import type { Page } from 'playwright-core'

const ofCheckout = { worlds: ['checkout'] }

async function copied(page: Page, what: string): Promise<string> {
  await click(page, `Copy ${what}`)
  await page.getByRole('button', { name: `Copied ${what}`, exact: true }).waitFor()
  return clipboardOf(page)
}

test('base URLs and keys of each world can be copied, and keys are up to date', async () => {
  const { page, server, greenhouse } = await openPanel('#/traffic?tab=connect&world=checkout', ofCheckout)
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
  expect(await row('key_pro').innerText()).not.toContain('revoked')
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

test('the code for curl and fetch works as it is pasted', async () => {
  const { page, greenhouse } = await openPanel('#/traffic?tab=connect&world=checkout&key=key_lite', ofCheckout)
  const run = promisify(execFile)
  for (const [form, command, ...words] of [
    ['curl', 'sh', '-c'],
    ['fetch', process.execPath, '--input-type=module', '-e'],
  ] as const) {
    await page.getByRole('tab', { name: form }).click()
    await run(command, [...words, await copied(page, `the code for ${form}`)])
  }
  const calls = greenhouse.world('checkout').journal.calls()
  const expected = ['plants.list', 'apps.list', 'plants.create', 'plants.list']
  expect(calls).toMatchObject(expected.map((operation) => ({ operation, response: { status: 200 } })))
  expect(greenhouse.world().journal.size).toBe(0)
})

test('with one area, an empty list shows only the base URL and code of that area', async () => {
  const { page, server, send } = await openPanel('#/traffic', { greenhouse: { areas: ['plants'] } })
  await page.getByText(server.url, { exact: true }).waitFor()
  expect(await page.getByText('App management').count()).toBe(0)
  const forms = ['curl', 'fetch', 'Vitest', 'Jest', 'Playwright', 'node:test']
  expect(await page.getByRole('tab').allInnerTexts()).toEqual(forms)
  expect(await page.locator('main').innerText()).not.toContain('/v1')
  await send('/plants')
  await requestsOf(page).first().waitFor()
  expect(await page.getByText(server.url, { exact: true }).count()).toBe(0)
})

test('the first steps send a request, spend the quota of a plan and refill it, with Undo', async () => {
  const { page, world } = await openPanel('#/traffic?tab=connect', {
    greenhouse: { use: ['rate-limited-plan:plan=pro,window=day'] },
  })
  const calls: string[] = []
  page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()))
  const answered = (status: number) => press(page, 'Send GET /v1/apps', `GET /v1/apps was answered with ${status}`)
  await answered(200)
  await press(page, 'Spend the quota of free', 'The quota of the plan free is spent')
  expect(calls).toHaveLength(1)
  await answered(429)
  await press(page, 'Advance the clock by a day', 'Advanced the clock by a day')
  expect(world.active).toMatchObject([{ name: 'rate-limited-plan', plan: 'free', window: 'minute' }])
  await undo(page, 'The quota of the plan free is spent')
  await expect.poll(() => world.active).toMatchObject([{ plan: 'pro', window: 'day' }])
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
