const { expect, test } = require('greenhouse-mock/playwright')

test('a page gets what the world of its test has', async ({ page, greenhouseHost, world }) => {
  world.use('server-error:on=apps.*')
  await page.route('http://localhost/', (route) => route.fulfill({ contentType: 'text/html', body: '<p>shop</p>' }))
  await page.goto('http://localhost/')
  const statuses = await page.evaluate(
    async ({ plants, apps }) => {
      const headers = { Authorization: 'Bearer key_pro' }
      const responses = [await fetch(`${plants}/plants?limit=1`, { headers }), await fetch(`${apps}/apps`, { headers })]
      return responses.map(({ status }) => status)
    },
    { plants: greenhouseHost.plants, apps: greenhouseHost.apps },
  )
  expect(statuses).toEqual([200, 500])
  expect(world).toHaveNoViolations()
})

test.use({ greenhouseOptions: { cors: ['*'] } })
