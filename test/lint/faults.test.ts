import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Edit = { readonly file: string; readonly find: string }

const root = new URL('../../', import.meta.url)
const load = async (name: string) => await import(new URL(`.ci/faults/${name}.mjs`, root).href)

test('the seeded faults still fit the code that they break', async () => {
  const { faults } = (await load('faults')) as { faults: { name: string; edits: Edit[]; after?: Edit[] }[] }
  const { mutations } = (await load('mutations')) as { mutations: (Edit & { what: string })[] }
  const all = [
    ...faults.flatMap(({ name, edits, after = [] }) => [...edits, ...after].map((edit) => ({ name, ...edit }))),
    ...mutations.map(({ what, file, find }) => ({ name: what, file: `src/${file}`, find })),
  ]
  expect(all.length).toBeGreaterThan(40)
  const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
  expect(all.filter(({ file, find }) => read(file).split(find).length !== 2)).toEqual([])
})
