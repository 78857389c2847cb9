import { expect, test } from 'vitest'
import { packedProject } from './packed.ts'

/** Creates a Greenhouse with one build, uses it with the other or the same, and prints the results: node script.mjs MAKER USER. */
const script = `
import { createRequire } from 'node:module'
import { setupServer } from 'msw/node'
const require = createRequire(import.meta.url)
const entries = ['', '/server', '/msw', '/express', '/data', '/matchers', '/node']
const builds = {
  import: Object.assign({}, ...(await Promise.all(entries.map((entry) => import('greenhouse-mock' + entry))))),
  require: Object.assign({}, ...entries.map((entry) => require('greenhouse-mock' + entry))),
}
const [maker, user] = process.argv.slice(2).map((name) => builds[name])
const greenhouse = maker.createGreenhouse({
  seed: 1,
  now: '2026-01-01T00:00:00Z',
  frozen: true,
  maxWorlds: 3,
  journal: { entries: 5 },
  fixtures: user.loadFixtures('node_modules/greenhouse-mock/fixtures'),
  scenarios: user.loadScenarios('node_modules/greenhouse-mock/scenarios'),
})
const said = []
const say = (...words) => said.push(words.join(' '))
const attempt = (what) => {
  try {
    return JSON.stringify(what())
  } catch (error) {
    return error.name + ': ' + error.message
  }
}
const server = await user.serve(greenhouse)
const call = async (method, path, body) => {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  const type = response.headers.get('content-type') ?? ''
  const text = type.includes('event-stream') ? (await response.body.cancel(), 'events') : await response.text()
  say(method, path, response.status, text.replace(/"journal":"[\\w.]+"/, '').replace(/"(ms|time|wait)": ?[\\d.]+/g, '').replaceAll(new URL(server.url).host, ''))
}
const control = (method, path, body) => call(method, '/__greenhouse' + path, body)
const world = (method, path, body) => control(method, '/worlds/default' + path, body)

await control('PUT', '/worlds/a', { seed: 3 })
await control('PUT', '/worlds/a/scenarios', { active: [{ name: 'webhook-storm' }, 'held-back'] })
await world('PUT', '/scenarios', { active: ['slo'] })
await world('PUT', '/scenarios', { active: ['slow:ms=x'] })
await world('PUT', '/scenarios', { active: [{ name: 'slow', ms: 1 }] })
await world('POST', '/snapshots/before')
await world('PUT', '/snapshots/before')
await call('POST', '/plants', { id: 4711, name: 'Ficus' })
await call('POST', '/v1/apps', { name: 'helper' })
await call('POST', '/plants', { nam: 'Ficus' })
await call('GET', '/v1/apps?limit=1')
for (const path of ['', '/journal', '/accounts', '/keys', '/due', '/scenarios', '/assumptions', '/clock', '/export', '/export/plants',
  '/export/apps', '/snapshots', '/snapshots/before/compare', '/deliveries', '/records', '/records/plants?limit=3', '/records/apps?limit=1', '/report', '/journal.har', '/plans'])
  await world('GET', path)
for (const path of ['/health', '/worlds', '/scenarios', '/operations', '/assumptions', '/events', '/nothing']) await control('GET', path)
await world('POST', '/events', { type: 'app.created' })
await world('POST', '/records/plants', { id: 1, name: 'x', account: 'acct_pro' })
await world('PUT', '/records/plants', [{ id: 1, name: 'x', account: 'acct_pro' }, { id: 1, name: 'y', account: 'acct_pro' }])
await world('PATCH', '/clock', { advance: '2d' })
await world('GET', '/deliveries')
await world('GET', '/due')
await world('POST', '/snapshots/before/restore')
await world('GET', '/due')
for (const name of ['b', 'c', 'd', 'e']) await call('GET', '/~' + name + '/plants?limit=1')
await control('GET', '/worlds/a')
await control('GET', '/worlds/a/journal')
for (let i = 0; i < 6; i++) await call('GET', '/plants?limit=1')
await world('GET', '/journal')
await server.close()

say('found', greenhouse.world().records.plants.find(new user.Query().where({ tag: 'tree' })).length)
say('matcher', attempt(() => user.greenhouseMatchers.toHaveNoViolations(greenhouse.world())))
for (const what of [() => maker.createGreenhouse({ fixtures: { plants: [{ id: 'x' }] } }), () => maker.createGreenhouse({ use: ['slo'] })])
  try {
    what()
  } catch (error) {
    say(error.name, error instanceof user.DataError, error instanceof Error, new Error('no') instanceof user.DataError)
  }

const ready = maker.createGreenhouse({ seed: 1, now: '2026-01-01T00:00:00Z', frozen: true })
const interception = setupServer(...user.createHandlers(ready, { plants: 'https://plants.test', apps: 'https://apps.test/v1' }))
interception.listen()
const headers = { authorization: 'Bearer key_pro' }
for (const url of ['https://plants.test/plants?limit=1', 'https://apps.test/v1/apps?limit=1', 'https://plants.test/plants?limit=x'])
  say(url, await (await fetch(url, { headers })).text())
interception.close()
say('msw', attempt(() => ready.world().use('truncated-body')))
say('express', user.createMiddleware(maker.createGreenhouse()).length)
console.log(JSON.stringify(said))
`

const project = packedProject('msw')
project.write('script.mjs', script)

const run = (maker: string, user: string) =>
  JSON.parse(project.run(process.execPath, 'script.mjs', maker, user)) as string[]

test('what import made is used as well by what require gives, and the other way round', () => {
  const alone = run('import', 'import')
  expect(alone.filter((line) => /^\S+ \S+ 500 /.test(line))).toEqual([])
  expect(alone.filter((line) => / 409 .*(world_dropped|duplicate_record)/.test(line)).length).toBeGreaterThanOrEqual(3)
  expect(alone).toContain('DataError true true false')
  expect(run('import', 'require')).toEqual(alone)
  expect(run('require', 'import')).toEqual(alone)
  expect(run('require', 'require')).toEqual(alone)
})
