import { renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse, type Unchanged } from 'greenhouse-mock'
import { loadFixtures, loadScenarios, watchFolders, type WatchOptions } from 'greenhouse-mock/node'
import { writeFolder } from '../support/folder.ts'
import { possible } from '../support/lacks.ts'
import { times } from '../support/soak.ts'

const toFixtures = (plant: string) =>
  `accounts:\n  - { id: acct, name: A, email: a@example.com, plan: pro_plus }\nkeys:\n  - { secret: key, account: acct }\nplants:\n  - { id: 1, name: ${plant}, account: acct }\n`
const toScenario = (value: string) =>
  `title: T\ndescription: D\ncovers: C\nassume: { plants.delete.unknown: '${value}' }\n`

/** Saves as editors do: aside, then in place. */
function save(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, `.${name}.tmp`), text)
  renameSync(join(folder, `.${name}.tmp`), join(folder, name))
}

function watching(files: { fixtures?: string; scenarios?: string }) {
  const greenhouse = createGreenhouse({
    fixtures: files.fixtures && loadFixtures(files.fixtures),
    scenarios: files.scenarios && loadScenarios(files.scenarios),
  } as never)
  const errors: string[] = []
  const reloads: Unchanged[] = []
  const options: WatchOptions = {
    ...files,
    onReload: (kept) => reloads.push(kept),
    onError: (error) => errors.push((error as Error).message),
  }
  const watcher = watchFolders(greenhouse, options)
  onTestFinished(() => watcher.close())
  const names = (world?: string) =>
    greenhouse
      .world(world)
      .records.plants.all()
      .map(({ name }) => name)
  return { greenhouse, errors, reloads, names }
}

test('many saves under load, a third of them broken, fail no request; the last valid one counts', async () => {
  const folder = writeFolder({ 'all.yaml': toFixtures('Start') })
  const { greenhouse, errors, names } = watching({ fixtures: folder })
  await using server = await serve(greenhouse)
  let saving = true
  const statuses = new Set<number>()
  const load = Array.from({ length: 8 }, async () => {
    while (saving) {
      const response = await fetch(server.url + '/plants', {
        headers: { authorization: 'Bearer key' },
      })
      statuses.add(response.status)
      expect(await response.json()).toHaveLength(1)
    }
  })
  for (let round = 0; round < times(300, 15); round++) {
    save(
      folder,
      'all.yaml',
      round % 3 === 2 ? toFixtures('7').replace('id: 1', 'id: x') : toFixtures(`Fern${round}`),
    )
    await new Promise((resolve) => setTimeout(resolve, round % 10 === 9 ? 80 : 2))
  }
  save(folder, 'all.yaml', toFixtures('Last'))
  await expect.poll(() => names()).toEqual(['Last'])
  saving = false
  await Promise.all(load)
  expect([...statuses]).toEqual([200])

  save(folder, 'all.yaml', toFixtures('Wrong').replace('id: 1', 'id: x'))
  await expect.poll(() => errors.at(-1)).toMatch(/all\.yaml:6:7: plants\.0\.id: /)
  expect(names()).toEqual(['Last'])
})

test('written records stay until a reset; new worlds start from the new files', async () => {
  const folder = writeFolder({ 'all.yaml': toFixtures('Old') })
  const { greenhouse, reloads, names } = watching({ fixtures: folder })
  await greenhouse.world('written').records.plants.update(1, { name: 'Own' })
  expect(names('read')).toEqual(['Old'])
  save(folder, 'all.yaml', toFixtures('New'))
  await expect.poll(() => reloads.length).toBeGreaterThan(0)
  expect([names('written'), names('read'), names('fresh')]).toEqual([['Own'], ['New'], ['New']])
  expect(reloads.at(-1)).toEqual({
    scenarios: [],
    records: [{ world: 'written', collections: ['plants'] }],
  })
  save(folder, 'all.yaml', toFixtures('New').replace('name: A', 'name: B'))
  await expect.poll(() => greenhouse.world('written').records.accounts.get('acct')!.name).toBe('B')
  // The plants that the world would start with are the same.
  expect(reloads.at(-1)).toEqual({ scenarios: [], records: [] })
  greenhouse.world('written').reset()
  expect(names('written')).toEqual(['New'])
})

test('an active scenario follows changes to its file, and stays as it was when the file is gone', async () => {
  const folder = writeFolder({ 'own.yaml': toScenario('204'), 'other.yaml': toScenario('204') })
  const { greenhouse, reloads } = watching({ scenarios: folder })
  const world = greenhouse.world()
  world.use('own')
  save(folder, 'own.yaml', toScenario('400'))
  await expect.poll(() => world.assumptions['plants.delete.unknown']).toBe('400')
  renameSync(join(folder, 'own.yaml'), join(folder, 'own.off'))
  const kept = {
    world: 'default',
    scenario: 'own',
    reason: expect.stringContaining('there is no such scenario'),
  }
  await expect.poll(() => reloads.at(-1)).toMatchObject({ scenarios: [kept] })
  expect(world.assumptions['plants.delete.unknown']).toBe('400')
  expect(greenhouse.scenarios().map(({ name }) => name)).not.toContain('own')
})

test.each(
  possible([
    ['folder', 'v1/data', 'v1/data', 'v2/data'],
    ['link', 'link', 'link', 'new-link'],
    ['link on the way to the folder', 'top/data', 'top', 'new-top'],
  ]),
)('a %s that is replaced is found again', async (_, watched, replaced, next) => {
  const parent = writeFolder({
    'v1/data/all.yaml': toFixtures('Old'),
    'v2/data/all.yaml': toFixtures('Next'),
  })
  const links = { link: 'v1/data', 'new-link': 'v2/data', top: 'v1', 'new-top': 'v2' }
  if (replaced in links)
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(parent, name))
  const folder = join(parent, watched)
  const { names } = watching({ fixtures: folder })
  if (!(replaced in links)) renameSync(folder, join(parent, 'gone'))
  renameSync(join(parent, next), join(parent, replaced))
  await expect.poll(() => names()).toEqual(['Next'])
  save(folder, 'all.yaml', toFixtures('Last'))
  await expect.poll(() => names()).toEqual(['Last'])
})
