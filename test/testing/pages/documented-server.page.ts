import { expect, test } from 'greenhouse-mock/playwright'
import { shop } from './shop.ts'

test('plants are listed', async ({ page, world, greenhouseHost }) => {
  await page.goto(`${shop}?service=${greenhouseHost.plants}`)
  await expect(page.getByRole('status')).toHaveText('Plants: 200')
  expect(world.journal.calls({ operation: 'plants.list' })).toHaveLength(1)
})

test('a plant that a program adds is on the page', async ({ page, request, greenhouseHost }) => {
  await request.post(`${greenhouseHost.plants}/plants`, {
    headers: { authorization: 'Bearer key_lite' },
    data: { id: 1000, name: 'Ficus' },
  })
  await page.goto(`${shop}?service=${greenhouseHost.plants}`)
  await expect(page.getByRole('status')).toHaveText('Plants: 200')
})
