import { expect, test } from 'vitest'
import { describePanel, findBarriers } from '../support/panel.ts'
import { fillWorld } from './filled-world.ts'

describePanel('an open request', (open) => {
  test('says in one sentence why the reply is what it is, and links to what shaped it', async () => {
    const { page } = await open('#/traffic/2', { before: fillWorld })
    const why = page.getByLabel('Why this reply')
    await why.getByText('minute quota of plan free spent').waitFor()
    const text = await why.innerText()
    expect(text).toContain('by the scenario rate-limited-plan')
    expect(text).toContain('rate-limited-plan by its effect quota.0')
    expect(text).not.toContain('limt')
    expect(await page.getByRole('region', { name: 'Slips' }).innerText()).toContain(
      '"limt" is not a query parameter of this operation. Did you mean "limit"?',
    )
    expect(await page.getByRole('heading', { name: 'Slips' }).count()).toBe(1)
    expect(await findBarriers(page)).toEqual([])
    await why.getByText('It depended on').click()
    await why.getByText('rate-limit.retry-after').waitFor()
    await page.getByRole('tab', { name: 'Decisions' }).click()
    const decisions = page.getByRole('table', { name: 'Decisions' })
    expect(await decisions.innerText()).toMatch(/yes\s+rate-limited-plan\s+quota\.0/)
  })

  test('shows its number of slips in one column and what changed it in another', async () => {
    const { page } = await open('#/traffic', { before: fillWorld })
    const row = page.locator('.virtual-row', { hasText: 'limt=3' })
    await row.waitFor()
    const heads = await page.locator('.traffic-head span').allTextContents()
    const cells = await row.locator('.traffic-row > *').allTextContents()
    const under = (head: string) => cells[heads.indexOf(head)]
    expect([under('Slips'), under('Changed by')]).toEqual([expect.stringMatching(/1 slips$/), 'rate-limited-plan'])
  })

  test('names what a path that does not exist is close to', async () => {
    const { page } = await open('#/traffic/6', { before: fillWorld })
    const why = page.getByLabel('Why this reply')
    await why.getByText('There is no path /v1/appz. Did you mean GET, POST /v1/apps?').first().waitFor()
    expect(await why.innerText()).toMatch(/Similar\s+GET \/v1\/apps at another path/)
  })

  test('shows bodies as a tree with integers of 64 bits exact, and raw', async () => {
    const { page } = await open('#/traffic/3?face=request', { before: fillWorld })
    const face = page.getByRole('tabpanel')
    await face.getByText('9007199254740993', { exact: true }).waitFor()
    await face.getByRole('button', { name: 'Raw' }).click()
    expect(await face.locator('pre').innerText()).toBe('{"id":9007199254740993,"name":"Ficus"}')
  })

  test('opens and closes by keys, and gives the focus back', async () => {
    const { page } = await open('#/traffic', { before: fillWorld })
    await page.locator('.virtual-row').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Request 6' }).waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Request 7' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('complementary').count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('listbox')
  })

  test('says so where the journal has made room for newer ones', async () => {
    const { page, send } = await open('#/traffic', { greenhouse: { journal: { entries: 2 } } })
    await send('/plants?limit=1')
    const first = page.locator('.virtual-row', { hasText: 'limit=1' })
    await first.waitFor()
    for (let limit = 2; limit <= 3; limit++) await send(`/plants?limit=${limit}`)
    // Until then rows move.
    await page.locator('.virtual-row', { hasText: 'limit=3' }).waitFor()
    await first.click()
    await page.getByText('headers and bodies are gone').waitFor()
    expect(await page.getByRole('complementary').innerText()).toContain('/plants?limit=1')
  })
})
