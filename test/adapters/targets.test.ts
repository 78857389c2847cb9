import { expect } from 'vitest'
import { expectAppsError, expectPlantsError, served } from '../support/socket.ts'

served('a target that names the whole URL is answered by its path', async ({ request }) => {
  const { status, text } = await request('GET http://elsewhere.example:8080/plants?limit=1')
  expect(status).toBe(200)
  expect(JSON.parse(text)).toHaveLength(1)
  expectPlantsError(await request('GET http://elsewhere.example'), 404)
})

served('a path with two slashes is another path', async ({ request }) => {
  expectPlantsError(await request('GET //plants'), 404)
  expectAppsError(await request('GET /v1//apps'), 404, 'not_found')
})

served('percent-encoding that is none is a 400', async ({ request }) => {
  expectPlantsError(await request('DELETE /plants/%zz'), 400)
  expectPlantsError(await request('GET /plants?limit=%zz'), 400)
  expectAppsError(await request('GET /v1/apps/%'), 400, 'invalid_request')
})

served('an encoded NUL in the path is data', async ({ request }) => {
  expectPlantsError(await request('DELETE /plants/%00'), 400)
  expectAppsError(await request('GET /v1/apps/%00'), 404, 'not_found')
})

served('a path that climbs is not resolved', async ({ request }) => {
  expectPlantsError(await request('GET /x/../plants'), 404)
  expectPlantsError(await request('GET /../../etc/passwd'), 404)
  expectPlantsError(await request('DELETE /plants/..%2f..%2fetc'), 400)
})

served('thousands of query parameters are read', async ({ request }) => {
  const { status, text } = await request(`GET /plants?${'a&'.repeat(7_000)}limit=1`)
  expect(status).toBe(200)
  expect(JSON.parse(text)).toHaveLength(1)
})
