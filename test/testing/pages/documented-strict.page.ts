import { expect, test } from 'greenhouse-mock/playwright'
import { shop as home } from './shop.ts'

const shop = `${home}apps`

test.use({
  greenhouseBases: { apps: 'https://api.example.com/v1' },
  greenhouseOptions: { strict: true },
})

test('requests keep the contract', async ({ page, world }) => {
  await page.goto(shop)
  await expect(page.getByRole('status')).toHaveText('Apps: 200')
  expect(world).toHaveNoViolations()
})
