import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { press, clipboardOf, go } from './page.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'

test('both base URLs and every key can be copied as the world that is shown takes them', async () => {
  const { page, server } = await openPanel('#/overview?world=checkout', { worlds: ['checkout'] })
  const copied = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('button', { name: name.replace('Copy', 'Copied'), exact: true }).waitFor()
    return clipboardOf(page)
  }
  expect(await copied('Copy the URL of the plant store')).toBe(server.url)
  expect(await copied('Copy the URL of the app management')).toBe(`${server.url}/v1`)
  expect(await copied('Copy key_free@checkout')).toBe('key_free@checkout')
  const keys = page.getByRole('table', { name: 'Keys' })
  for (const text of ['key_pro_plus@checkout', 'pro_plus', 'revoked', 'expired 2020-01-01T00:00:00Z'])
    expect(await keys.innerText()).toContain(text)
})

test.each(['curl', 'fetch'])('the code for %s works as it is pasted', async (form) => {
  const { page, greenhouse } = await openPanel('#/overview?world=checkout&key=key_lite', { worlds: ['checkout'] })
  await page.getByRole('tab', { name: form }).click()
  await page.getByRole('button', { name: `Copy the code for ${form}` }).click()
  const text = await clipboardOf(page)
  const run = promisify(execFile)
  if (form === 'curl') await run('sh', ['-c', text])
  else await run(process.execPath, ['--input-type=module', '-e', text])
  const calls = greenhouse.world('checkout').journal.calls()
  const expected = form === 'curl' ? ['plants.list', 'apps.list', 'plants.create'] : ['plants.list']
  expect(calls).toMatchObject(expected.map((operation) => ({ operation, response: { status: 200 } })))
  expect(greenhouse.world().journal.size).toBe(0)
})

test('the overview of one area has its base URL and code alone', async () => {
  const { page, server } = await openPanel('#/overview', { greenhouse: { areas: ['plants'] } })
  await page.getByText(server.url, { exact: true }).waitFor()
  expect(await page.getByText('App management').count()).toBe(0)
  expect(await page.getByRole('tab').allInnerTexts()).toEqual(['curl', 'fetch', 'Vitest', 'Playwright'])
  expect(await page.locator('main').innerText()).not.toContain('/v1')
})

test('the overview shows what is left of each plan as it is spent, and spends it', async () => {
  const { page, send, world } = await openPanel('#/overview')
  const meter = page.getByRole('meter', { name: 'Minute' }).first()
  await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('60')
  await send('/v1/apps', { key: 'key_free' })
  await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('59')
  await page.getByRole('button', { name: 'Spend the quota of Free' }).click()
  await expect.poll(() => world.scenarios).toEqual(['rate-limited-plan'])
  await press(page, 'Send GET /v1/apps', 'GET /v1/apps was answered with 429')
  await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('0')
  await page.getByRole('button', { name: 'Advance the clock by a day' }).click()
  await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('60')
  const { clock } = world
  clock.freeze()
  clock.set('2030-01-01T12:00:58Z')
  await send('/v1/apps', { key: 'key_free' })
  await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('59')
  // No event tells that a window has ended.
  clock.run()
  await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('60')
})

test('the quota of a plan is spent in one call, and Undo gives what was set before', async () => {
  const { page, world } = await openPanel('#/overview', {
    greenhouse: { use: ['rate-limited-plan:plan=pro,window=day'] },
  })
  const calls: string[] = []
  page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()))
  const spend = page.getByRole('button', { name: 'Spend the quota of Free' })
  for (const count of [1, 2]) {
    await spend.click()
    await expect.poll(() => page.getByText('The quota of the plan Free is spent').count()).toBe(count)
    expect(calls).toHaveLength(count)
  }
  expect(world.active).toMatchObject([{ name: 'rate-limited-plan', plan: 'free', window: 'minute' }])
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect.poll(() => world.active).toMatchObject([{ plan: 'pro', window: 'day' }])
})

test('with fixtures that have other keys, the plan of the key that is sent is spent', async () => {
  const { page } = await openPanel('#/overview', {
    greenhouse: {
      fixtures: {
        accounts: [{ id: 'acct_x', name: 'X', email: 'x@example.com', plan: 'pro_plus' }],
        keys: [{ secret: 'key_x', account: 'acct_x' }],
      },
    },
  })
  await press(page, 'Spend the quota of Pro plus', 'The quota of the plan Pro plus is spent')
  await press(page, 'Send GET /v1/apps', 'GET /v1/apps was answered with 429')
})

test('another world has its own base URLs, which work as they stand', async () => {
  const { page, server, greenhouse } = await openPanel('#/overview?world=checkout', { worlds: ['checkout'] })
  const paths = { [`${server.url}/~checkout`]: '/plants', [`${server.url}/~checkout/v1`]: '/apps' }
  for (const [url, path] of Object.entries(paths)) {
    await page.getByText(url, { exact: true }).waitFor()
    const response = await fetch(url + path, { headers: { authorization: 'Bearer key_pro' } })
    expect(response.status).toBe(200)
  }
  expect(greenhouse.world('checkout').journal.size).toBe(2)
  await go(page, '#/overview')
  await expect.poll(() => page.getByText('/~').count()).toBe(0)
})

test('another world has its keys as they are there now', async () => {
  const { page, greenhouse } = await openPanel('#/overview?world=checkout', { worlds: ['checkout'] })
  const { records, clock } = greenhouse.world('checkout')
  const row = (key: string) => page.getByRole('row', { name: `Copy ${key}@checkout` })
  await row('key_pro').waitFor()
  expect(await row('key_pro').innerText()).not.toContain('revoked')
  records.accounts.update('acct_pro', { plan: 'free' })
  records.keys.update('key_pro', { revoked: true })
  records.keys.update('key_lite', { expires_at: new Date(clock.now() + 60_000).toISOString() })
  await expect.poll(() => row('key_pro').innerText()).toMatch(/free.*revoked/s)
  await expect.poll(() => row('key_lite').innerText()).toContain('expires 20')
  clock.advance('1h')
  await expect.poll(() => row('key_lite').innerText()).toContain('expired 20')
})
