// A test that fails, to show what is attached: greenhouse-journal.json, the requests of its world.
import { expect } from '@playwright/test'
import { test } from '../site.ts'

test('fails, and attaches its requests', async ({ page, world, greenhouseHost, site }) => {
  world.use('server-error')
  await page.goto(`${site}/?service=${encodeURIComponent(greenhouseHost.plants)}`)
  await expect(page.getByRole('status')).not.toHaveText('')
  expect(await page.getByRole('status').textContent()).toBe('0 plants')
})
