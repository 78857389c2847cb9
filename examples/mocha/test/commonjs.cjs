const assert = require('node:assert/strict')
const { withWorld } = require('greenhouse-mock/testing')

it(
  'works in CommonJS',
  withWorld(async ({ api }) => {
    const response = await fetch(`${api.appsUrl}/apps`, {
      headers: { authorization: 'Bearer key_pro' },
    })
    assert.equal(response.status, 200)
  }),
)
