import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

const toFixtures = (id: string | number) => `accounts:
  - { id: acct, name: A, email: a@example.com, plan: pro }
keys:
  - { secret: key, account: acct }
plants:
  - { id: ${id}, name: Fern ${id}, account: acct }
`

test('serve --watch loads saved files, shows places of mistakes, and stops on request', async () => {
  const folder = writeFolder({ 'all.yaml': toFixtures('1') })
  const { call, output, stop } = await startServe(['--fixtures', folder, '--watch'])
  const status = async (id: number) =>
    (await call(`/plants/${id}`, { key: 'key', method: 'DELETE' })).status
  writeFileSync(join(folder, 'all.yaml'), toFixtures('x'))
  const mistake = /all\.yaml:6:7: plants\.0\.id: [^]*Greenhouse keeps what it loaded last\./
  await expect.poll(() => output.stderr).toMatch(mistake)
  writeFileSync(join(folder, 'all.yaml'), toFixtures('2'))
  await expect.poll(() => status(2)).not.toBe(404)
  expect(await stop()).toMatchObject({ code: 0, signal: null })
})

test('after a reload --watch names the worlds that keep their changes, and how to reset them', async () => {
  const folder = writeFolder({ 'all.yaml': toFixtures('1') })
  const { ready, call, output } = await startServe(['--fixtures', folder, '--watch'])
  const create = { key: 'key', method: 'POST', body: '{"id": 5, "name": "Ficus"}' }
  expect((await call('/~one/plants', create)).status).toBe(200)
  writeFileSync(join(folder, 'all.yaml'), toFixtures('2'))
  const words = ['reset', '--world', 'one', '--server', ready.plants_url]
  const kept = 'The world "one" keeps its own plants: requests or tests have changed them.'
  await expect
    .poll(() => output.stderr)
    .toBe(`${kept}\nTo start it from the files: greenhouse-mock ${words.join(' ')}\n`)
  expect((await call('/~one/plants/2', { key: 'key', method: 'DELETE' })).status).toBe(404)
  expect((await run(words)).code).toBe(0)
  expect((await call('/~one/plants/2', { key: 'key', method: 'DELETE' })).status).not.toBe(404)
})

test('serve --watch follows a configuration file whose folder was replaced', async () => {
  const own = join(writeFolder({ 'own/greenhouse.config.yaml': 'watch: true\n' }), 'own')
  const file = join(own, 'greenhouse.config.yaml')
  const { output } = await startServe(['--config', file])
  renameSync(own, `${own}-before`)
  await expect.poll(() => output.stderr).toContain('Greenhouse keeps what it loaded last.')
  mkdirSync(own)
  writeFileSync(file, 'watch: true\nseed: 3\n')
  await expect.poll(() => output.stderr).toContain('restart Greenhouse to change seed.\n')
})

test.each(['mjs', 'cjs', 'ts'])(
  'serve --watch follows a .%s file, and keeps the last good state',
  async (ending) => {
    const name = `greenhouse.config.${ending}`
    const folder = writeFolder({ 'one/all.yaml': toFixtures(1), 'two/all.yaml': toFixtures(2) })
    const save = (text: string) =>
      writeFileSync(
        join(folder, name),
        name.endsWith('.cjs') ? `module.exports = ${text}` : `export default ${text}`,
      )
    save(`{ watch: true, fixtures: './one' }`)
    const { call, output } = await startServe(['--config', join(folder, name)])
    const plants = async (world: string) => {
      const all = (await (await call(`/~${world}/plants`, { key: 'key' })).json()) as {
        name: string
      }[]
      return all.map((plant) => plant.name)
    }
    const remove = async (world: string) =>
      (await call(`/~${world}/plants/99`, { key: 'key', method: 'DELETE' })).status
    expect([await plants('a'), await remove('a')]).toEqual([['Fern 1'], 404])

    save(`{ watch: true, fixturs: './two' }`)
    await expect
      .poll(() => output.stderr)
      .toMatch(/fixturs: there is no such setting; .*\. Did you mean "fixtures"\?/)
    expect(output.stderr).toContain('Greenhouse keeps what it loaded last.')
    const problems = async () => (await call('/__greenhouse/problems')).text()
    expect(await problems()).toContain('fixturs')
    expect(await plants('b')).toEqual(['Fern 1'])

    save(
      `{ watch: true, fixtures: './two', assumptions: { 'plants.delete.unknown': '204' }, seed: 3 }`,
    )
    await expect
      .poll(() => output.stderr)
      .toContain(`${name}: restart Greenhouse to change seed.\n`)
    for (const world of ['a', 'c'])
      expect([await plants(world), await remove(world)]).toEqual([['Fern 2'], 204])
    expect(await problems()).not.toContain('fixturs')

    writeFileSync(join(folder, 'two/all.yaml'), toFixtures(7))
    await expect.poll(() => plants('a')).toEqual(['Fern 7'])
  },
)
