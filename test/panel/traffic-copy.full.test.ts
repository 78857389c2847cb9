import { runInNewContext } from 'node:vm'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

const body = JSON.stringify({ id: 1000, name: "O'Ficus $HOME `x`", tag: 'tree' })

describePanel('a recorded request', (open) => {
  test.each([
    ['curl', runShell],
    ['fetch', runNode],
  ])('copied as %s does the same again', async (form, run) => {
    const { page, greenhouse, send } = await open('#/traffic')
    await send('/~checkout/plants', { method: 'POST', body })
    await page.goto(page.url().replace(/#.*/, '#/traffic/1?world=checkout'))
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menuitem', { name: `Copy as ${form}` }).click()
    await page.getByText(`Copied the request as ${form}`).waitFor()
    await run(await page.evaluate(() => navigator.clipboard.readText()))
    const [first, again] = greenhouse.world('checkout').journal.calls()
    expect(first!.response.status).toBe(200)
    expect(again!.request).toMatchObject({ method: 'POST', url: '/~checkout/plants', body })
    expect(again!.request.headers['authorization']).toBe(first!.request.headers['authorization'])
    expect(again!.reason).toMatch(/1000/)
  })

  test('copied as curl is one request, whatever its URL and headers have', async () => {
    const { page, greenhouse, send } = await open('#/traffic')
    const url = '/plants?tag={a,b}&limit=[1-3]'
    await send(url, { headers: { 'x-empty': '' } })
    await page.locator('.virtual-row').click()
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menuitem', { name: 'Copy as curl' }).click()
    await page.getByText('Copied the request as curl').waitFor()
    await runShell(await page.evaluate(() => navigator.clipboard.readText()))
    const [, ...others] = greenhouse.world().journal.calls()
    expect(others.map(({ request }) => [request.url, request.headers['x-empty']])).toEqual([[url, '']])
  })

  test('copied as HTTPie names method, URL, headers and body', async () => {
    const { page, send, server } = await open('#/traffic')
    await send('/plants', { method: 'POST', body: '{"id":7,"name":"Fern"}' })
    await page.locator('.virtual-row').click()
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menuitem', { name: 'Copy as HTTPie' }).click()
    await page.getByText('Copied the request as HTTPie').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `http --raw '{"id":7,"name":"Fern"}' POST '${server.url}/plants' 'authorization:Bearer key_pro' 'content-type:application/json'`,
    )
  })

  test('copied as a test starts from the seed, the clock and the scenarios of its world', async () => {
    const { page, greenhouse, send } = await open('#/traffic')
    const world = greenhouse.world('checkout')
    world.use('server-error')
    await send('/~checkout/plants?limit=1')
    await page.goto(page.url().replace(/#.*/, '#/traffic/1?world=checkout'))
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menuitem', { name: 'Copy as a test for node:test' }).click()
    await page.getByText('Copied the request as a test for node:test').waitFor()
    const text = await page.evaluate(() => navigator.clipboard.readText())
    const start: unknown = runInNewContext(/world\.reset(\([^]*?\))\n/.exec(text)![1]!)
    expect(start).toEqual({ seed: 1, now: world.journal.calls()[0]!.at, scenarios: world.active })
    expect(text).toContain("fetch(api.plantsUrl + '/plants?limit=1', {")
    expect(text).toContain('assert.equal(response.status, 500)')
  })

  test('has the name of its key before the list has the request', async () => {
    const { page } = await open('#/traffic/1', {
      before: (greenhouse) =>
        greenhouse.fetch(new Request('http://any/plants', { headers: { authorization: 'Bearer key_pro' } })),
      route: (made) => made.route('**/journal?*', () => undefined),
    })
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menuitem', { name: 'Copy as curl' }).click()
    await page.getByText('Copied the request as curl').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`-H 'authorization: Bearer key_pro'`)
  })

  test('has $KEY as a placeholder for a key that the journal does not know', async () => {
    const { page, send } = await open('#/traffic')
    await send('/plants', { key: 'sk_0123456789abcdef' })
    await page.locator('.virtual-row').click()
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menuitem', { name: 'Copy as curl' }).click()
    await page.getByText('replace $KEY with yours').waitFor()
    const text = await page.evaluate(() => navigator.clipboard.readText())
    expect(text).toContain(`-H 'authorization: Bearer '"$KEY"''`)
    expect(text).not.toContain('0123456789')
  })

  test('is sent again with its real key, and its new entry opens', async () => {
    const { page, send } = await open('#/traffic')
    await send('/plants', { method: 'POST', body })
    await page.locator('.virtual-row').click()
    await page.getByRole('button', { name: 'Send again', exact: true }).click()
    await page.getByRole('complementary', { name: 'Request 2' }).waitFor()
    await expect.poll(() => page.locator('.virtual-row').count()).toBe(2)
    expect(await page.locator('.virtual-row').first().textContent()).toContain('key_pro')
  })
})

async function runShell(text: string): Promise<void> {
  await promisify(execFile)('sh', ['-c', text])
}

async function runNode(text: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', text])
}
