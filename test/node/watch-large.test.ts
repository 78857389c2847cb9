import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { loadFixtures, watchFolders } from 'greenhouse-mock/node'
import { writeFolder } from '../support/folder.ts'

const accounts =
  'accounts:\n  - { id: acct, name: A, email: a@example.com, plan: pro_plus }\nkeys:\n  - { secret: key, account: acct }\n'
const largest = 9_223_372_036_854_775_807n

/** Some 300 KB: enough for a separate thread. */
function toPlants(name: string): string {
  const toLine = (id: bigint | number, name: string) => `  - { id: ${id}, name: ${name}, account: acct }\n`
  const lines = Array.from({ length: 6_000 }, (_, index) => toLine(index + 1, `Plant ${index}`))
  return ['plants:\n', ...lines, toLine(largest, name)].join('')
}

function save(folder: string, text: string): void {
  writeFileSync(join(folder, '.plants'), text)
  renameSync(join(folder, '.plants'), join(folder, 'plants.yaml'))
}

function watching() {
  const folder = writeFolder({ 'accounts.yaml': accounts, 'plants.yaml': toPlants('Start') })
  const greenhouse = createGreenhouse({ fixtures: loadFixtures(folder) })
  const { plants } = greenhouse.world().records
  const told: string[] = []
  const watcher = watchFolders(greenhouse, {
    fixtures: folder,
    onReload: () => told.push(plants.get(largest)!.name),
    onError: (error) => told.push((error as Error).message),
  })
  onTestFinished(() => watcher.close())
  return { folder, watcher, greenhouse, told }
}

test('a large file is read by another thread, each id exact, while the process does other things', async () => {
  const { folder, greenhouse, told } = watching()
  save(folder, toPlants('Saved'))
  let turns = 0
  for (; told.length === 0; turns++) await new Promise((resolve) => setImmediate(resolve))
  expect(told).toEqual(['Saved'])
  const plants = greenhouse.world().records.plants.all()
  expect(plants).toHaveLength(6_001)
  expect(plants.map(({ id }) => id).slice(-2)).toEqual([6_000, largest])
  // Each step takes a turn: the parts of the text, and 500 records at a time.
  expect(turns).toBeGreaterThan(20)
})

test('a mistake in a large file is reported with its place, and the loaded data stays', async () => {
  const { folder, greenhouse, told } = watching()
  save(folder, toPlants('Saved').replace('id: 5000,', 'id: x,'))
  await expect.poll(() => told).toEqual([expect.stringMatching(/plants\.yaml:5001:7: plants\.4999\.id: /)])
  expect(greenhouse.world().records.plants.get(largest)!.name).toBe('Start')
})

test('of saves while a large file is read the last one counts', async () => {
  const { folder, greenhouse, told } = watching()
  for (let round = 0; round < 8; round++) {
    save(folder, toPlants(`Save ${round}`))
    await new Promise((resolve) => setTimeout(resolve, 70))
  }
  save(folder, toPlants('Last'))
  await expect.poll(() => told.at(-1), { timeout: 20_000 }).toBe('Last')
  expect(greenhouse.world().records.plants.get(largest)!.name).toBe('Last')
})

test('close() ends the thread, and nothing is loaded afterwards', async () => {
  const { folder, watcher, greenhouse, told } = watching()
  save(folder, toPlants('Saved'))
  await new Promise((resolve) => setTimeout(resolve, 80))
  watcher.close()
  // A second watcher that reads shows that there was enough time.
  const other = watchFolders(greenhouse, { fixtures: folder, onReload: () => told.push('other') })
  onTestFinished(() => other.close())
  save(folder, toPlants('Later'))
  await expect.poll(() => told, { timeout: 20_000 }).toEqual(['other'])
})
