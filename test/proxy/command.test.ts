import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { run, start } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

test('greenhouse-mock proxy stands in front of a service, and says which', async () => {
  await using real = await serve(createGreenhouse())
  const words = [
    'proxy',
    '--target-plants',
    `${real.url}/`,
    '--target-apps',
    `${real.url}/v1`,
    '--port',
    '0',
  ]
  const { untilPrinted } = start([...words, '--scenario', 'slow:ms=5', '--log', 'json'])
  const [, ready] = await untilPrinted(/(\{"event":"ready".*\})\n/)
  const { plants_url, targets } = JSON.parse(ready!) as { plants_url: string; targets: object }
  expect(targets).toEqual({ plants: real.url, apps: `${real.url}/v1` })
  const response = await fetch(`${plants_url}/v1/apps?limit=1`, {
    headers: { authorization: 'Bearer key_pro' },
  })
  expect(response.headers.get('x-greenhouse')).toBe(
    'world=default; operation=apps.list; scenario=slow',
  )
  expect(await (await fetch(`${plants_url}/__greenhouse/start`)).json()).toMatchObject({
    targets,
    keys: {},
  })
})

test.each([
  [['proxy'], 'Name the service with --target-plants URL, --target-apps URL, or both.'],
  [['proxy', '--target-plants', 'api.test'], '--target-plants: expected an http or https URL'],
  [
    ['proxy', '--target-plants', 'http://a.test', '--fallback', 'moc'],
    '--fallback: expected "mock". Did you mean "mock"?',
  ],
  [
    ['proxy', '--target-plants', 'http://a.test', '--port', '0', '--only', 'plant.*'],
    'no operation called "plant.*". Did you mean "plants.*"?',
  ],
  [
    ['proxy', '--target-plants', 'http://a.test', '--port', '0', '--only', 'apps.*'],
    'no operation called "apps.*".',
  ],
  [
    [
      'proxy',
      '--target-plants',
      'http://a.test',
      '--port',
      '0',
      '--record',
      `${import.meta.filename}/x`,
    ],
    `Failed to record into ${import.meta.filename}/x: `,
  ],
])('%j is wrong use', async (words, message) => {
  const { code, stderr } = await run(words)
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

test('the configuration file names the service too, also for serve', async () => {
  await using real = await serve(createGreenhouse({ fixtures: { extends: 'default', plants: [] } }))
  const config = `${writeFolder({ 'greenhouse.config.json': JSON.stringify({ proxy: { plants: real.url } }) })}/greenhouse.config.json`
  const { untilPrinted } = start(['serve', '--port', '0', '--config', config])
  const [, url] = await untilPrinted(/Plants {2}(\S+) → /)
  const [, target] = await untilPrinted(/ → (\S+)/)
  const [banner] = await untilPrinted(/Keys\n[^]*curl [^]*curl .*\n/)
  expect(banner).toMatch(/^Keys\n {2}those of the service; .*\n\n/)
  expect(banner).not.toContain('key_')
  expect(target).toBe(real.url)
  await fetch(`${url}/plants`, { headers: { authorization: 'Bearer key_pro' } })
})

test.each([
  'http://user:pw@h.test',
  'http://h.test/?key=1',
  'http://h.test/#a',
  'http://h.test/?',
  'http:h.test',
])('the option refuses what the flag refuses: %s', async (plants) => {
  expect(() => createGreenhouse({ proxy: { plants } })).toThrow(
    'proxy.plants: expected an http or https URL',
  )
  expect((await run(['proxy', '--target-plants', plants])).code).toBe(2)
})

const target = 'the option "proxy" names no service'

test.each([
  [{}, target],
  [{ plants: undefined, insecure: true }, target],
  [{ plant: 'http://h.test' }, 'proxy.plant: there is no such option'],
  [{ plants: 'http://h.test', only: [] }, 'the option "proxy.only" names no operation'],
])('the option is no service to forward to, or nothing to forward: %j', async (proxy, message) => {
  await expect((async () => serve(createGreenhouse({ proxy: proxy as never })))()).rejects.toThrow(
    message,
  )
})
