// The client uses the production URLs. MSW answers there, and the key selects the world.
const { createWithWorld } = require('greenhouse-mock/testing')
const { createClient } = require('../client.js')

const plantsUrl = 'https://plants.example.com'
const appsUrl = 'https://api.example.com/v1'
const withWorld = createWithWorld({ plants: plantsUrl, apps: appsUrl, now: '2026-01-31T18:00:00Z' })

test(
  'apps are listed',
  withWorld(async ({ api }) => {
    const client = createClient({ plantsUrl, appsUrl, key: api.key('key_free') })
    expect(await client.appNames()).toContain('plant-doctor')
  }),
)
