import { expect, test } from 'greenhouse-mock/playwright'

test.use({
  greenhouseBases: { plants: 'https://plants.example.com', apps: 'https://api.example.com/v1' },
})

// In place of your page.
const shop = `<p role="status"></p>
<script type="module">
  const headers = { authorization: 'Bearer key_pro' }
  const { status } = await fetch('https://plants.example.com/plants', { headers })
  document.querySelector('p').textContent = 'Plants: ' + status
</script>`

test('plants are listed', async ({ page, world }) => {
  await page.setContent(shop)
  await expect(page.getByRole('status')).toHaveText('Plants: 200')
  expect(world).toHaveReceived('plants.list')
})

test('an outage is reported', async ({ page, world }) => {
  world.use('server-error')
  await page.setContent(shop)
  await expect(page.getByRole('status')).toHaveText('Plants: 500')
})
