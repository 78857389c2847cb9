import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('the overview', (open) => {
  test('has both base URLs and every key to copy, as the world that is shown takes them', async () => {
    const { page, server } = await open('#/overview?world=checkout', { before: (made) => void made.world('checkout') })
    const copied = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByRole('button', { name: name.replace('Copy', 'Copied'), exact: true }).waitFor()
      return page.evaluate(() => navigator.clipboard.readText())
    }
    expect(await copied('Copy the URL of the plant store')).toBe(server.url)
    expect(await copied('Copy the URL of the app management')).toBe(`${server.url}/v1`)
    expect(await copied('Copy key_free@checkout')).toBe('key_free@checkout')
    const keys = page.getByRole('table', { name: 'Keys' })
    for (const text of ['key_pro_plus@checkout', 'pro_plus', 'revoked', 'expired 2020-01-01T00:00:00Z'])
      expect(await keys.innerText()).toContain(text)
  })

  test.each(['curl', 'fetch'])('has code for %s that works as it is pasted', async (form) => {
    const { page, greenhouse } = await open('#/overview?world=checkout&key=key_lite', {
      before: (made) => void made.world('checkout'),
    })
    await page.getByRole('tab', { name: form }).click()
    await page.getByRole('button', { name: `Copy the code for ${form}` }).click()
    const text = await page.evaluate(() => navigator.clipboard.readText())
    const run = promisify(execFile)
    if (form === 'curl') await run('sh', ['-c', text])
    else await run(process.execPath, ['--input-type=module', '-e', text])
    const calls = greenhouse.world('checkout').journal.calls()
    expect(calls.map(({ operation, response }) => [operation, response.status])).toEqual(
      [
        ['plants.list', 200],
        ['apps.list', 200],
        ['plants.create', 200],
      ].slice(0, form === 'curl' ? 3 : 1),
    )
    expect(greenhouse.world().journal.size).toBe(0)
  })

  test('with one area, has its base URL and code alone', async () => {
    const { page, server } = await open('#/overview', { greenhouse: { areas: ['plants'] } })
    await page.getByText(server.url, { exact: true }).waitFor()
    expect(await page.getByText('App management').count()).toBe(0)
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['curl', 'fetch', 'Vitest', 'Playwright'])
    expect(await page.locator('main').innerText()).not.toContain('/v1')
  })

  test('shows what is left of each plan as it is spent, and lets one spend it', async () => {
    const { page, send, greenhouse } = await open('#/overview')
    const meter = page.getByRole('meter', { name: 'Minute' }).first()
    await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('60')
    await send('/v1/apps', { key: 'key_free' })
    await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('59')
    await page.getByRole('button', { name: 'Spend the quota of Free' }).click()
    await expect.poll(() => greenhouse.world().scenarios).toEqual(['rate-limited-plan'])
    await page.getByRole('button', { name: 'Send GET /v1/apps' }).click()
    await page.getByText('GET /v1/apps was answered with 429').waitFor()
    await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('0')
    await page.getByRole('button', { name: 'Advance the clock by a day' }).click()
    await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('60')
    const { clock } = greenhouse.world()
    clock.freeze()
    clock.set('2030-01-01T12:00:58Z')
    await send('/v1/apps', { key: 'key_free' })
    await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('59')
    // No event tells that a window has ended.
    clock.run()
    await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('60')
  })

  test('spends the quota of a plan in one call, again too, and Undo gives what was set before', async () => {
    const { page, greenhouse } = await open('#/overview', {
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
    expect(greenhouse.world().active).toMatchObject([{ name: 'rate-limited-plan', plan: 'free', window: 'minute' }])
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await expect.poll(() => greenhouse.world().active).toMatchObject([{ plan: 'pro', window: 'day' }])
  })

  test('with keys of one’s own, spends the plan of the key that it sends', async () => {
    const { page } = await open('#/overview', {
      greenhouse: {
        fixtures: {
          accounts: [{ id: 'acct_x', name: 'X', email: 'x@example.com', plan: 'pro_plus' }],
          keys: [{ secret: 'key_x', account: 'acct_x' }],
        },
      },
    })
    await page.getByRole('button', { name: 'Spend the quota of Pro plus' }).click()
    await page.getByText('The quota of the plan Pro plus is spent').waitFor()
    await page.getByRole('button', { name: 'Send GET /v1/apps' }).click()
    await page.getByText('GET /v1/apps was answered with 429').waitFor()
  })
})
