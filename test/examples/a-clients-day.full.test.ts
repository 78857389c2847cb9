import { expect, test } from 'vitest'
import { liveOverHttp, liveThroughMsw } from '../../examples/a-clients-day.ts'

test("a client's whole day is the same over HTTP and through MSW", async () => {
  const overHttp = await liveOverHttp()
  expect(await liveThroughMsw()).toEqual(overHttp)

  const replies = (pattern: RegExp) => overHttp.filter((line) => pattern.test(line))
  expect(
    overHttp
      .filter((line) => line.startsWith('received'))
      .map((line) => JSON.parse(line.slice(line.indexOf('{'))).type),
  ).toEqual([
    'message.sent',
    'message.sent',
    'deployment.live',
    'subscription.updated',
    'credits.purchased',
    'subscription.updated',
    // One of the default world's, which waited for its certificate.
    'deployment.live',
    'subscription.canceled',
    'app.deleted',
  ])
  expect(replies(/^GET \/apps\/[^/]+\/deployments/)[0]).toContain('"state":"live"')
  expect(replies(/^GET \/account/)[0], 'the new plan, and its limits').toMatch(
    /-> 200 \[600\/\d+\] .*"plan":"pro_plus"/,
  )
  expect(replies(/^GET \/account/)[1], 'after the end of the period').toMatch(/-> 200 \[60\/\d+\] .*"plan":"free"/)
  expect(replies(/pm_declined/)[0]).toMatch(/-> 400 .*payment_declined/)
  expect(
    overHttp
      .slice(overHttp.findIndex((line) => line.startsWith('DELETE /apps/')))
      .filter((line) => line.includes('-> 404')),
  ).toHaveLength(6)
})
