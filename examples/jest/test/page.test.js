/** @jest-environment jest-fixed-jsdom */
const { withWorld } = require('greenhouse-mock/testing')
const { createClient } = require('../client.js')

/** Stands for a component of yours. */
async function showPlants(client, element) {
  try {
    element.textContent = `${(await client.plants()).length} plants`
  } catch (error) {
    element.textContent = error.message
  }
}

test(
  'a page shows the plants, and then what went wrong',
  withWorld(async ({ api, world }) => {
    const element = document.body.appendChild(document.createElement('p'))
    const client = createClient({ ...api, key: 'key_pro' })
    await showPlants(client, element)
    expect(element.textContent).toBe('14 plants')
    world.use('expired-key')
    await showPlants(client, element)
    expect(element.textContent).toMatch('the key was rejected')
  }),
)
