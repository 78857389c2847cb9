const { withWorld } = require('greenhouse-mock/testing')

test(
  'plants are listed',
  withWorld(async ({ api }) => {
    const response = await fetch(`${api.plantsUrl}/plants`, {
      headers: { authorization: 'Bearer key_pro' },
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toHaveLength(14)
  }),
)
