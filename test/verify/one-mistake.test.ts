import { expect, test } from 'vitest'
import { appMistakes } from './mistakes/apps.ts'
import { plantMistakes } from './mistakes/plants.ts'
import { takenMistakes } from './mistakes/taken.ts'
import { brokenOf, verifyStore } from './own-store.ts'
import { Store } from './store.ts'

for (const [name, [rule, mistake]] of Object.entries({ ...plantMistakes, ...takenMistakes, ...appMistakes }))
  test(`a store that ${name} breaks ${rule} and nothing else`, async () => {
    const store = new Store()
    const report = await verifyStore(Object.assign(store, mistake(store)))
    expect(brokenOf(report)).toEqual([rule])
    // Objects that it could not delete are reported, by name or id.
    expect(report.left).toHaveLength(store.plants.filter((plant) => !store.isGone(plant)).length)
  })
