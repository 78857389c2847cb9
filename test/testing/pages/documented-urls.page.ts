import { expect, test } from 'greenhouse-mock/playwright'
import { shop } from './shop.ts'

test.use({ greenhouseBases: { plants: 'https://plants.example.com', apps: 'https://api.example.com/v1' } })

test('an outage is reported', async ({ page, world }) => {
  world.use('server-error')
  await page.goto(shop)
  await expect(page.getByRole('status')).toHaveText('Plants: 500')
})
