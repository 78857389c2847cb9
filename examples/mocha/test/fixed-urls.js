// The client uses the production URLs. MSW answers there, and the key selects the world.
import assert from 'node:assert/strict'
import { createWithWorld } from 'greenhouse-mock/testing'
import { createClient } from '../client.js'

const plantsUrl = 'https://plants.example.com'
const appsUrl = 'https://api.example.com/v1'
const withWorld = createWithWorld({ plants: plantsUrl, apps: appsUrl, now: '2026-01-31T18:00:00Z' })

it(
  'lists apps',
  withWorld(async ({ api }) => {
    const client = createClient({ plantsUrl, appsUrl, key: api.key('key_free') })
    assert.ok((await client.appNames()).includes('plant-doctor'))
  }),
)
