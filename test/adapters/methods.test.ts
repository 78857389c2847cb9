import { expect } from 'vitest'
import { expectAppsError, expectPlantsError, expectRefusal, served } from '../support/socket.ts'

for (const method of ['OPTIONS', 'PUT', 'PATCH', 'PROPFIND', 'M-SEARCH'])
  served(`${method} is answered in the area's error shape`, async ({ request }) => {
    expectPlantsError(await request(`${method} /plants`), 404)
    expectAppsError(await request(`${method} /v1/apps`), 404, 'not_found')
  })

served('TRACE is refused as JSON, whatever it is sent to', async ({ exchange, greenhouse }) => {
  for (const path of ['/plants', '/v1/apps', '/__greenhouse/health']) {
    const replies = await exchange(
      `TRACE ${path} HTTP/1.1\r\nHost: greenhouse.localhost\r\nAuthorization: Bearer key_pro\r\n\r\n`,
    )
    expectRefusal(replies[0])
    expect(replies).toHaveLength(1)
  }
  expect(greenhouse.world().journal.calls()).toEqual([])
})

for (const version of ['0.9', '2.0'])
  served(`a request line of HTTP/${version} is refused as JSON`, async ({ exchange, greenhouse }) => {
    for (const path of ['/plants', '/__greenhouse/health']) {
      const replies = await exchange(
        `GET ${path} HTTP/${version}\r\nHost: greenhouse.localhost\r\nAuthorization: Bearer key_pro\r\n\r\n`,
      )
      expectRefusal(replies[0], 505)
      expect(replies).toHaveLength(1)
    }
    expect(greenhouse.world().journal.calls()).toEqual([])
  })

served('OPTIONS * names no path and is answered 404', async ({ request }) => {
  expectPlantsError(await request('OPTIONS *'), 404)
})

served('a method that HTTP does not have is refused as JSON', async ({ exchange }) => {
  const [reply] = await exchange('BREW /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\n\r\n')
  expectRefusal(reply)
})

served('HEAD gets the headers of GET and no body', async ({ request }) => {
  const head = await request('HEAD /plants?limit=2')
  const get = await request('GET /plants?limit=2')
  expect(head).toMatchObject({ status: 200, text: '' })
  expect(head.headers['content-length']).toBe(get.headers['content-length'])
})
