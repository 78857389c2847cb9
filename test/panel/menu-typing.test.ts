import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('a menu of 200 worlds', (open) => {
  test('goes to the world whose name one types', async () => {
    const { page } = await open('#/overview', {
      greenhouse: { maxWorlds: 300 },
      before: (made) => {
        for (let number = 100; number < 300; number++) made.world(`branch-${number}`)
      },
    })
    await page.getByRole('button', { name: 'default', exact: true }).click()
    await page.getByText('Type to find one').waitFor()
    await page.getByRole('menuitemradio', { name: 'branch-299' }).waitFor()
    await page.keyboard.type('branch-257')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('branch-257')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).hash).toBe('#/overview?world=branch-257')
  })

  test('matches parts of names too, presses no key of the panel, and starts over after a pause', async () => {
    const { page } = await open('#/overview', {
      before: (made) => ['checkout', 'go-tests'].forEach((name) => made.world(name)),
    })
    await page.getByRole('button', { name: 'default', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'go-tests' }).waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.type('out')
    await expect.poll(focused).toBe('checkout')
    await page.waitForTimeout(1_100)
    await page.keyboard.type('go-t')
    await expect.poll(focused).toBe('go-tests')
    expect(new URL(page.url()).hash).toBe('#/overview')
  })
})
