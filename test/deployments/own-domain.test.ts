import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { apps, deploy, pathOf } from './deploy.ts'

for (const key of Object.keys(apps))
  testApi(`without a domain ${key} gets one of ours, live at once and without DNS`, async ({ call }) => {
    const { status, body } = await deploy(call, {}, { key })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      state: 'live',
      custom_domain: false,
      dns_records: [],
      verify_before: null,
      failure: null,
      live_at: start,
    })
    expect(body.domain).toMatch(/^[a-z-]+\.greenhouse-apps\.example$/)
    expect(body.url).toBe(`https://${body.domain}`)
    expect((await call('POST', `${pathOf(key, body.id)}/verify`, { key })).body).toEqual(body)
  })

testApi('the domain of ours is named after the app, and no two are the same', async ({ call }) => {
  const domains = []
  for (let count = 0; count < 3; count++) domains.push((await deploy(call, {}, { key: 'key_free' })).body.domain)
  expect(domains[0]).toBe('watering-helper.greenhouse-apps.example')
  expect(new Set(domains).size).toBe(3)
  for (const domain of domains) expect(domain).toMatch(/^watering-helper(-[a-z2-7]{16})?\.greenhouse-apps\.example$/)
})

testApi('an app with an odd name gets a domain all the same', async ({ call }) => {
  for (const name of ['植物', '--', ' Ünïcode & Söhne! ', 'x'.repeat(500), `${'x'.repeat(39)}-y`, '__proto__']) {
    const { body: app } = await call('POST', '/v1/apps', { body: { name } })
    const { status, body } = await call('POST', `/v1/apps/${app.id}/deployments`, { body: {} })
    expect(status, name).toBe(201)
    expect(body.domain, name).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.greenhouse-apps\.example$/)
  }
})

testApi('a name below ours can be chosen on every plan, but a deeper one or the bare domain not', async ({ call }) => {
  const { status, body } = await deploy(call, { domain: 'mine.greenhouse-apps.example' }, { key: 'key_free' })
  expect(status).toBe(201)
  expect(body).toMatchObject({ state: 'live', custom_domain: false })
  for (const domain of ['greenhouse-apps.example', 'a.b.greenhouse-apps.example'])
    expect((await deploy(call, { domain }, { key: 'key_pro_plus' })).status, domain).toBe(400)
})
