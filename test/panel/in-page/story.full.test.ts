import { expect, test } from 'vitest'
import { describeInPage } from '../../support/in-page.ts'

describeInPage(
  'a loader of stories',
  (open) => {
    test('gives each story a world, as new, which the panel shows', async () => {
      const { page } = await open({ mount: false })
      const show = (id: string, ...greenhouse: string[]) =>
        page.evaluate((story) => globalThis.showStory(story as never), { id, parameters: { greenhouse } })
      expect(await show('apps--failing', 'server-error')).toBe(500)
      await page.getByRole('button', { name: 'Greenhouse: apps--failing' }).click()
      await page.getByRole('region', { name: 'Active scenarios' }).getByText('server-error').waitFor()
      expect(await show('apps--filled')).toBe(200)
      await page.getByRole('button', { name: 'Greenhouse: apps--filled' }).waitFor()
      expect(await page.locator('greenhouse-panel').count()).toBe(1)
      expect(await show('apps--failing')).toBe(200)
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      expect(await page.getByRole('region', { name: 'Active scenarios' }).count()).toBe(0)
    })
  },
  'story-page.ts',
)
