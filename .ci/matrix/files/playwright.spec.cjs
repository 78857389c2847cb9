const { createServer } = require('node:http')
const { expect, test } = require('greenhouse-mock/playwright')

test('a page gets what the world of its test has', async ({ page, greenhouseHost, world }) => {
  world.use('server-error:on=apps.*')
  const site = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<p>shop</p>'),
  )
  await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve))
  await page.goto(`http://127.0.0.1:${site.address().port}/`)
  const statuses = await page.evaluate(
    async ({ plants, apps }) => {
      const headers = { Authorization: 'Bearer key_pro' }
      const responses = [
        await fetch(`${plants}/plants?limit=1`, { headers }),
        await fetch(`${apps}/apps`, { headers }),
      ]
      return responses.map(({ status }) => status)
    },
    { plants: greenhouseHost.plants, apps: greenhouseHost.apps },
  )
  expect(statuses).toEqual([200, 500])
  expect(world).toHaveNoViolations()
  site.close()
})

test.use({ greenhouseOptions: { cors: ['*'] } })
