import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

const long = JSON.stringify({ id: 7, name: 'Fern', tag: 'x'.repeat(70_000) })

describePanel('a body that the journal cut', (open) => {
  test('is shown as cut, and is copied as no whole request', async () => {
    const { page, send } = await open('#/traffic/1?face=request')
    await send('/plants', { method: 'POST', body: long })
    await page.getByText('The body was longer: the journal keeps its first 64 KiB').waitFor()
    await page.evaluate(() => navigator.clipboard.writeText('before'))
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menuitem', { name: 'Copy as curl' }).click()
    await page.getByText('The journal did not keep the whole request').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('before')
  })

  test('of a reply is shown as cut too, and a whole one is not', async () => {
    const { page, send } = await open('#/traffic/1', {
      before: (made) => {
        for (let id = 1; id <= 400; id++)
          made.world().records.plants.create({ id: 50_000 + id, name: 'Fern '.repeat(40), account: 'acct_pro' })
      },
    })
    await send('/plants?limit=1')
    await send('/plants?limit=400')
    const note = page.getByText('The body was longer')
    await page.getByRole('tabpanel').getByText('Body', { exact: true }).waitFor()
    expect(await note.count()).toBe(0)
    await page.evaluate(() => (location.hash = '#/traffic/2'))
    await note.waitFor()
  })
})
