import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { startReceiver } from '../webhooks/receiver.ts'

/** Returns the line that a command prints with `--json`. */
async function readJson(...words: string[]): Promise<any> {
  const { stdout, stderr } = await run([...words, '--json'])
  expect(stderr, words.join(' ')).toBe('')
  expect(stdout, words.join(' ')).toMatch(/^[^\n]+\n$/)
  return JSON.parse(stdout)
}

test('lists of what there is are those of the control API', async () => {
  const { ready, stop } = await startServe()
  const read = async (path: string) => (await fetch(`${ready.plants_url}/__greenhouse${path}`)).json() as Promise<any>
  expect(await readJson('scenario', 'list')).toEqual(await read('/scenarios'))
  expect(await readJson('scenario', 'list', '--search', '429 retry')).toEqual(
    await read('/scenarios?search=429%20retry'),
  )
  expect(await readJson('scenario', 'list', '--search', 'nothing-has-this')).toEqual({ data: [] })
  const { data } = await read('/scenarios')
  expect(await readJson('scenario', 'show', 'slow')).toEqual(
    data.find((known: { name: string }) => known.name === 'slow'),
  )
  expect(await readJson('assumptions')).toEqual(await read('/assumptions'))
  expect(await readJson('routes')).toEqual(await read('/operations'))
  const malformations = await readJson('scenario', 'list', '--malformations')
  expect(malformations.data[0]).toMatchObject({ options: { on: expect.any(String) }, breaks: expect.any(Boolean) })
  await stop()
})

test('what is switched on comes back as the control API answers it', async () => {
  const { ready, stop } = await startServe()
  const at = ['--server', ready.plants_url]
  const used = await readJson('scenario', 'use', 'slow:ms=5', 'expired-key', ...at)
  const scenarios = await fetch(`${ready.plants_url}/__greenhouse/worlds/default/scenarios`)
  expect(used).toEqual(await scenarios.json())
  expect(used.active.map(({ name }: { name: string }) => name)).toEqual(['slow', 'expired-key'])
  expect(await readJson('scenario', 'clear', ...at)).toEqual({ active: [] })
  await stop()
})

test('trigger --json has the deliveries', async () => {
  const receiver = await startReceiver()
  const { ready, call, stop } = await startServe()
  const at = ['--server', ready.plants_url]
  expect(await readJson('trigger', 'plant.created', ...at)).toEqual({ data: [] })
  await call('/v1/webhooks', {
    method: 'POST',
    body: JSON.stringify({ url: receiver.url, events: ['plant.created'] }),
  })
  expect(await readJson('trigger', 'plant.created', ...at)).toMatchObject({
    data: [{ status: 'succeeded', url: receiver.url, attempts: [{ status: 200 }] }],
  })
  await stop()
})

test('check --json has every problem with its place, and still ends with 1', async () => {
  const folder = writeFolder({ 'fixtures/plants.yaml': 'plants:\n  - { id: 1, name: 5, account: acct }\n' })
  const { code, stdout, stderr } = await run(['check', `${folder}/fixtures`, '--json'])
  expect([code, stderr]).toEqual([1, ''])
  const { data } = JSON.parse(stdout)
  expect(data).toContainEqual({
    file: expect.stringContaining('plants.yaml'),
    line: 2,
    column: expect.any(Number),
    message: expect.stringMatching(/^plants\.0\.name: /),
  })
  expect((await run(['check', 'fixtures', '--json'])).stdout).toBe('{"data":[]}\n')
})
