import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { root } from './packed.ts'

/** The largest that a page may load of each, in bytes, minified and gzipped. */
const budgets = [
  { title: 'the plants', parts: ['plants'], most: 58.4 * 1_024 },
  { title: 'both areas', parts: ['plants', 'apps'], most: 83.8 * 1_024 },
]

const scriptOf = (areas: readonly string[]) => `
import { createGreenhouse, ${areas.join(', ')} } from 'greenhouse-mock/parts'
import { createHandlers } from 'greenhouse-mock/msw'
export const handlers = createHandlers(createGreenhouse({
  areas: [${areas.join(', ')}],
  records: {
    accounts: [{ id: 'acct', name: 'Ann', email: 'ann@example.com', plan: 'pro' }],
    keys: [{ secret: 'key', account: 'acct' }],
  },
}))`

/** Bundles a script as the bundler of a page does, without msw, which the page has anyway. */
async function bundle(script: string): Promise<string> {
  const build = await rolldown({
    input: 'script',
    platform: 'browser',
    external: [/^msw/],
    plugins: [
      {
        name: 'script',
        resolveId: (id) =>
          id === 'script'
            ? id
            : id.startsWith('greenhouse-mock/')
              ? join(root, 'dist', `${id.slice('greenhouse-mock/'.length)}.js`)
              : null,
        load: (id) => (id === 'script' ? script : null),
      },
    ],
  })
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false })
  await build.close()
  return output[0].code
}

test.for(budgets)('$title take a page at most $most bytes, gzipped', async ({ parts, most }, { annotate }) => {
  const code = await bundle(scriptOf(parts))
  const bytes = gzipSync(code, { level: 9 }).length
  await annotate(`${parts.join(' and ')}: ${bytes} bytes gzipped, ${code.length} minified`)
  expect(bytes).toBeLessThanOrEqual(most)
})

test('the client takes a page at most 13 kB, gzipped', async () => {
  expect(await sizeOf(`export { connect } from 'greenhouse-mock/client'`)).toBeLessThanOrEqual(13 * 1_024)
})

const sizeOf = async (script: string) => gzipSync(await bundle(script), { level: 9 }).length

const rows = [...readFileSync(join(root, 'docs/bundle-size.md'), 'utf8').matchAll(/^\| (`.*?`) \| ([\d.]+) /gm)].map(
  ([, title, kilobytes]) => ({ title: title!, names: title!.replaceAll('`', '').split(', '), said: Number(kilobytes) }),
)

test('the page on sizes has a row for each page and part', () => {
  const pages = ['core, msw, plants', 'core, msw, plants, apps', 'greenhouse-mock, msw']
  const parts = ['fixtures', 'scenarios', 'journal', 'judge', 'case', 'webhook-tools']
  expect(rows.map(({ names }) => names.join(', '))).toEqual([...pages, ...parts])
})

test.each(rows)('what the page says of $title is so, to a kilobyte', async ({ names, said }) => {
  const both = scriptOf(['plants', 'apps'])
  const [name] = names
  const bytes =
    name === 'greenhouse-mock'
      ? await sizeOf(
          `import { createGreenhouse } from 'greenhouse-mock/index'\nimport { createHandlers } from 'greenhouse-mock/msw'\nexport const handlers = createHandlers(createGreenhouse())`,
        )
      : name === 'core'
        ? await sizeOf(scriptOf(names.slice(2)))
        : (await sizeOf(
            `${both}\nimport * as part from 'greenhouse-mock/${name}'\nglobalThis.part = part.${exported(name!)}`,
          )) - (await sizeOf(both))
  expect(Math.abs(bytes / 1_000 - said), `${bytes} bytes`).toBeLessThan(1)
})

/** Returns the name of a part in code: `case` is a word of the language. */
const exported = (name: string) =>
  name === 'case' ? 'cases' : name.replace(/-(\w)/, (_, letter: string) => letter.toUpperCase())

test('a page that has the plants alone has no code of apps, of scenarios or of the journal', async () => {
  const code = await bundle(scriptOf(['plants']))
  expect(code.includes('plants.create')).toBe(true)
  const ofApps = ['conversations.create', 'whsec_', 'acct_pro_plus']
  const ofOthers = ['webhook-stale-timestamp', 'matching entries were dropped', 'misspelt-header']
  expect([...ofApps, ...ofOthers].filter((word) => code.includes(word))).toEqual([])
})

test('what a page imports besides comes along, and nothing that it does not', async () => {
  const besides = `
export { ownFixtures, ownScenarios } from 'greenhouse-mock/parts'`
  const code = await bundle(scriptOf(['plants']) + besides)
  const present = ['expected collections by name', 'expected title, description, covers and effects']
  expect(present.filter((word) => !code.includes(word))).toEqual([])
  expect(['acct_pro_plus', 'webhook-stale-timestamp'].filter((word) => code.includes(word))).toEqual([])
})
