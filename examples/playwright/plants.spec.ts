// The page has an origin of its own and is told where the service is; it knows nothing of worlds.
import { expect } from '@playwright/test'
import { test } from './site.ts'

const toPage = (site: string, service: string) => `${site}/?service=${encodeURIComponent(service)}`

test('a plant that was added is listed', async ({ page, world, greenhouseHost, site }) => {
  await page.goto(toPage(site, greenhouseHost.plants))
  await expect(page.getByRole('status')).toHaveText('0 plants')
  await page.getByLabel('Id').fill('1001')
  await page.getByLabel('Name').fill('Ficus')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('listitem')).toHaveText(['Ficus'])
  expect(world.journal.calls({ operation: 'plants.create' })).toHaveLength(1)
})

test('nothing of the other tests is here', async ({ page, world, greenhouseHost, site }) => {
  await page.goto(toPage(site, greenhouseHost.plants))
  await expect(page.getByRole('status')).toHaveText('0 plants')
  expect(world.journal.calls()).toHaveLength(1)
})

test('an expired key is told', async ({ page, world, greenhouseHost, site }) => {
  world.use('expired-key')
  await page.goto(toPage(site, greenhouseHost.plants))
  await expect(page.getByRole('status')).toHaveText('Your key has expired. Please get a new one.')
})

test('a service in trouble is told', async ({ page, world, greenhouseHost, site }) => {
  world.use('server-error')
  await page.goto(toPage(site, greenhouseHost.plants))
  await expect(page.getByRole('status')).toHaveText(
    'The plants are out of reach. Please try again later.',
  )
  world.clear()
  await page.reload()
  await expect(page.getByRole('status')).toHaveText('0 plants')
})
