import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../package/packed.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
const places = sources.map((path) => `/${path.replaceAll('\\', '/')}/`)

/** The texts in back-ticks, outside of blocks of code. */
function quotesIn(file: string): string[] {
  const prose = read(file).replaceAll(/^ *```[^]*?^ *```/gm, '')
  return Array.from(prose.matchAll(/`([^`\n]+)`/g), ([, text]) => text!)
}

for (const file of ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/decisions.md', 'docs/adding-an-effect.md'])
  test(`every path in ${file} exists`, () => {
    const paths = quotesIn(file).filter((text) => /^(?!dist|greenhouse-mock|.*\/\d+$)[\w.-]+\/[\w./-]*$/.test(text))
    // A path is that of the repository, or the end of one in `src`: `core/pipeline/`, `operations/`.
    const exists = (path: string) =>
      existsSync(join(root, path)) || places.some((place) => place.endsWith(`/${path.replace(/\/$/, '')}/`))
    expect(paths.filter((path) => !exists(path))).toEqual([])
  })

test('every name in docs/adding-an-effect.md occurs in the source', () => {
  const words = new Set(
    sources.filter((path) => /\.tsx?$/.test(path)).flatMap((path) => read(`src/${path}`).match(/\w+/g)),
  )
  const names = quotesIn('docs/adding-an-effect.md').flatMap(
    (text) => /^(?:\w+\.)*(\w+)(?:\(.*\))?$/.exec(text)?.[1] ?? [],
  )
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !words.has(name))).toEqual([])
})
