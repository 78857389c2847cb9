import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('the menu of worlds', (open) => {
  test('makes a world, goes to it and back, and every part of the page follows', async () => {
    const { page, greenhouse, send } = await open('#/traffic')
    await page.getByRole('button', { name: 'default', exact: true }).click()
    await page.getByRole('menuitem', { name: 'New world…' }).click()
    await page.getByLabel('Name').fill('checkout')
    await page.getByLabel('Seed').fill('42')
    await page.getByLabel('Clock starts at').fill('2030-05-06T07:08:09Z')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).hash).toBe('#/traffic?world=checkout')
    expect([greenhouse.world('checkout').seed, greenhouse.hasWorld('checkout')]).toEqual([42, true])
    await expect.poll(() => page.locator('.clock-time').innerText()).toMatch(/^2030-05-06 07:08/)
    await send('/~checkout/plants?limit=1')
    await send('/plants?limit=2')
    await page.locator('.virtual-row', { hasText: '/~checkout/plants?limit=1' }).waitFor()
    expect(await page.locator('.virtual-row').count()).toBe(1)
    await page.getByRole('button', { name: 'checkout', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'default' }).click()
    await page.locator('.virtual-row', { hasText: 'limit=2' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#/traffic')
  })

  test('resets and deletes a world when one says so', async () => {
    const { page, greenhouse } = await open('#/overview?world=checkout', {
      before: (made) => void made.world('checkout').use('slow'),
    })
    const menu = page.getByRole('button', { name: 'checkout', exact: true })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Reset checkout…' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(greenhouse.world('checkout').scenarios).toEqual(['slow'])
    await menu.click()
    await page.getByRole('menuitem', { name: 'Reset checkout…' }).click()
    await page.getByRole('button', { name: 'Reset', exact: true }).click()
    await expect.poll(() => greenhouse.world('checkout').scenarios).toEqual([])
    await menu.click()
    await page.getByRole('menuitem', { name: 'Delete checkout…' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect.poll(() => greenhouse.hasWorld('checkout')).toBe(false)
    await expect.poll(() => new URL(page.url()).hash).toBe('#/overview')
  })

  test('deletes what could be undone in a world with it: an undo would create the world again', async () => {
    const { page, greenhouse } = await open('#/scenarios/slow?world=gone', { before: (made) => made.world('gone') })
    await page.getByRole('switch', { name: 'In use' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.getByRole('button', { name: 'gone', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete gone…' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Deleted gone').waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    expect(greenhouse.hasWorld('gone')).toBe(false)
  })

  test.for([
    ['#/data/plants?new=101&search=zz&where.account=acct_pro', '#/data/plants?search=zz&where.account=acct_pro'],
    ['#/data/plants/101?sort=-id&page=2', '#/data/plants?sort=-id'],
    ['#/data?face=snapshots&snapshot=mine', '#/data?face=snapshots'],
    ['#/traffic/1?status=4xx', '#/traffic?status=4xx'],
  ] as const)('keeps the list and its filters, not what is open in it: %s', async ([from, to]) => {
    const { page } = await open(from, { before: (made) => made.world('checkout') })
    await page.getByRole('button', { name: 'default', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'checkout' }).click()
    await expect.poll(() => new URL(page.url()).hash).toBe(`${to}${to.includes('?') ? '&' : '?'}world=checkout`)
  })

  test('says so where the URL names a world that is not there, and makes it', async () => {
    const { page, greenhouse } = await open('#/traffic?world=nowhere')
    await page.getByText('There is no world “nowhere” yet').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Traffic' }).waitFor()
    expect(greenhouse.hasWorld('nowhere')).toBe(false)
    await page.getByRole('button', { name: 'Create nowhere' }).click()
    await page.getByText('No requests yet').waitFor()
    expect(greenhouse.hasWorld('nowhere')).toBe(true)
  })

  test('says next to the input what is wrong with a name', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'default', exact: true }).click()
    await page.getByRole('menuitem', { name: 'New world…' }).click()
    await page.getByLabel('Name').fill('default')
    const input = page.getByLabel('Name')
    const describe = async () => {
      const ids = (await input.getAttribute('aria-describedby'))!.split(' ')
      return Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()))
    }
    await expect.poll(describe).toContain('A world with this name exists already.')
    await input.fill('a b')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('1 to 64').waitFor()
  })
})
