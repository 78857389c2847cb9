import { expect } from 'vitest'
import { expectAppsError, expectPlantsError, served } from '../support/socket.ts'

for (const method of ['OPTIONS', 'PUT', 'PATCH', 'PROPFIND', 'M-SEARCH'])
  served(`${method} is answered in the area's error shape`, async ({ request }) => {
    expectPlantsError(await request(`${method} /plants`), 404)
    expectAppsError(await request(`${method} /v1/apps`), 404, 'not_found')
  })

served('OPTIONS * names no path and is answered 404', async ({ request }) => {
  expectPlantsError(await request('OPTIONS *'), 404)
})

served('HEAD gets the headers of GET and no body', async ({ request }) => {
  const head = await request('HEAD /plants?limit=2')
  const get = await request('GET /plants?limit=2')
  expect(head).toMatchObject({ status: 200, text: '' })
  expect(head.headers['content-length']).toBe(get.headers['content-length'])
})
