import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { createCaller } from '../support/test-api.ts'

/** Sizes at which the store spreads records over more maps. */
const sizes = [4_096, 32_768]

test.each(sizes)(
  'a snapshot of %i plants holds what was there, whatever is added and deleted after it',
  async (size) => {
    const plants = Array.from({ length: size }, (_, index) => ({ id: index + 1, name: 'Fern', account: 'ann' }))
    const greenhouse = createGreenhouse({
      fixtures: {
        accounts: [{ id: 'ann', name: 'Ann', email: 'ann@example.com', plan: 'pro' }],
        keys: [{ secret: 'key_ann', account: 'ann' }],
        plants,
      },
    })
    const world = greenhouse.world()
    const call = createCaller((path, init) => greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init)))
    const create = (id: number) => call('POST', '/plants', { key: 'key_ann', body: { id, name: 'Ficus' } })
    world.snapshot('before')
    for (const id of [size + 1, size + 2, size + 3]) expect((await create(id)).status).toBe(200)
    expect((await call('DELETE', `/plants/${size}`, { key: 'key_ann' })).status).toBe(204)
    world.snapshot('after')
    const here = () => [1, 1_025, size - 1, size, size + 1, size + 3].filter((id) => world.records.plants.get(id))
    expect([world.records.plants.count(), here()]).toEqual([size + 2, [1, 1_025, size - 1, size + 1, size + 3]])

    world.restore('before')
    expect([world.records.plants.count(), here()]).toEqual([size, [1, 1_025, size - 1, size]])
    expect((await create(size + 1)).status).toBe(200)
    expect((await create(size)).status).toBe(400)
    world.restore('after')
    expect([world.records.plants.count(), here()]).toEqual([size + 2, [1, 1_025, size - 1, size + 1, size + 3]])
  },
)
