import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

const toFixtures = (id: number) =>
  `accounts:\n  - { id: acct, name: A, email: a@example.com, plan: pro }\nkeys:\n  - { secret: key, account: acct }\nplants:\n  - { id: ${id}, name: Fern ${id}, account: acct }\n`

test.each(['greenhouse.config.mjs', 'greenhouse.config.cjs', 'greenhouse.config.ts'])(
  'serve --watch follows %s, and keeps the last good state when a save breaks it',
  async (name) => {
    const folder = writeFolder({ 'one/all.yaml': toFixtures(1), 'two/all.yaml': toFixtures(2) })
    const save = (text: string) =>
      writeFileSync(join(folder, name), name.endsWith('.cjs') ? `module.exports = ${text}` : `export default ${text}`)
    save(`{ watch: true, fixtures: './one' }`)
    const { call, output, stop } = await startServe(['--config', join(folder, name)])
    const plants = async (world: string) =>
      ((await (await call(`/~${world}/plants`, { key: 'key' })).json()) as { name: string }[]).map(
        (plant) => plant.name,
      )
    const remove = async (world: string) =>
      (await call(`/~${world}/plants/99`, { key: 'key', method: 'DELETE' })).status
    expect([await plants('a'), await remove('a')]).toEqual([['Fern 1'], 404])

    save(`{ watch: true, fixturs: './two' }`)
    await expect.poll(() => output.stderr).toMatch(/fixturs: there is no such setting\. Did you mean "fixtures"\?/)
    expect(output.stderr).toContain('Greenhouse keeps what it loaded last.')
    const problems = async () => (await call('/__greenhouse/problems')).text()
    expect(await problems()).toContain('fixturs')
    expect(await plants('b')).toEqual(['Fern 1'])

    save(`{ watch: true, fixtures: './two', assumptions: { 'plants.delete.unknown': '204' }, seed: 3 }`)
    await expect.poll(() => output.stderr).toContain(`${name}: restart Greenhouse to change seed.\n`)
    for (const world of ['a', 'c']) expect([await plants(world), await remove(world)]).toEqual([['Fern 2'], 204])
    expect(await problems()).not.toContain('fixturs')

    writeFileSync(join(folder, 'two/all.yaml'), toFixtures(7))
    await expect.poll(() => plants('a')).toEqual(['Fern 7'])
    await stop()
  },
)
