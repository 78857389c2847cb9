import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { root } from './packed.ts'

/**
 * Bundles a script as the bundler of a page does, without msw, and returns the bytes that the page
 * loads at its start, gzipped.
 */
async function sizeOf(script: string): Promise<number> {
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
  const { output } = await build.generate({ format: 'esm', minify: true })
  await build.close()
  const files = output.flatMap((file) =>
    file.type === 'chunk' && !file.isDynamicEntry ? file.code : [],
  )
  return files.reduce((bytes, code) => bytes + gzipSync(code, { level: 9 }).length, 0)
}

const page = `
import { createGreenhouse } from 'greenhouse-mock/index'
import { createHandlers } from 'greenhouse-mock/msw'
export const handlers = createHandlers(createGreenhouse())`

test('a page loads at its start what the page on its size says, to a kilobyte', async ({
  annotate,
}) => {
  const bytes = await sizeOf(page)
  await annotate(`${bytes} bytes`)
  const [, said] = /([\d.]+) kB/.exec(readFileSync(join(root, 'docs/bundle-size.md'), 'utf8'))!
  expect(Math.abs(bytes / 1_000 - Number(said)), `${bytes} bytes`).toBeLessThan(1)
})

test('the client takes a page at most 15 kB, gzipped', async () => {
  expect(await sizeOf(`export { connect } from 'greenhouse-mock/client'`)).toBeLessThanOrEqual(
    15_000,
  )
})
