// The project has an MSW server already: Greenhouse adds its handlers to it while a test runs.
const { http, HttpResponse } = require('msw')
const { setupServer } = require('msw/node')
const { createWithWorld } = require('greenhouse-mock/testing')
const { createClient } = require('../client.js')

const plantsUrl = 'https://plants.example.com'
const appsUrl = 'https://api.example.com/v1'
const server = setupServer(
  http.get(`${appsUrl}/feature-flags`, () => HttpResponse.json({ dark: true })),
)
const withWorld = createWithWorld({ server, plants: plantsUrl, apps: appsUrl })

test(
  'both answer',
  withWorld(async ({ api }) => {
    const client = createClient({ plantsUrl, appsUrl, key: api.key('key_free') })
    expect(await client.appNames()).toContain('plant-doctor')
    const flags = await fetch(`${appsUrl}/feature-flags`)
    expect(await flags.json()).toEqual({ dark: true })
  }),
)
