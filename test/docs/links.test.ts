import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createSidebar } from '../../docs/.vitepress/sidebar.ts'
import { toSlug } from '../../docs/.vitepress/slug.ts'
import { root } from '../package/packed.ts'

const documents = ['.', 'docs', 'bench', 'examples', 'scenarios', 'fixtures'].flatMap((folder) =>
  listDocuments(folder, folder !== '.'),
)

function listDocuments(folder: string, isDeep: boolean): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return isDeep && !/^\.|^(node_modules|peers|results)$/.test(entry.name)
        ? listDocuments(path, true)
        : []
    return entry.name.endsWith('.md') ? [path.replaceAll('\\', '/')] : []
  })
}

function toProse(file: string): string[] {
  let isCode = false
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .map((line) => {
      if (/^ *```/.test(line)) isCode = !isCode
      return isCode ? '' : line
    })
}

const withoutCode = (line: string) => line.replaceAll(/`[^`]*`/g, '')

/** The anchors of a document's headings, as GitHub and the site make them. */
function anchorsOf(file: string): Set<string> {
  const anchors = new Set<string>()
  for (const line of toProse(file)) {
    const [, heading] = /^#{1,6} (.+)$/.exec(line) ?? []
    if (heading === undefined) continue
    const slug = toSlug(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, ''))
    let unique = slug
    for (let count = 1; anchors.has(unique); count++) unique = `${slug}-${count}`
    anchors.add(unique)
  }
  return anchors
}

function wrongLinks(file: string): string[] {
  return toProse(file).flatMap((line, index) =>
    [...withoutCode(line).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, href]) => {
      if (/^[a-z]+:/i.test(href!)) return []
      const [path = '', anchor] = href!.split('#')
      const target = path === '' ? join(root, file) : resolve(root, dirname(file), path)
      const place = `${file}:${index + 1}: ${href}`
      if (!existsSync(target) || relative(root, target).startsWith('..'))
        return [`${place} leads nowhere.`]
      if (anchor === undefined) return []
      if (statSync(target).isDirectory() || !target.endsWith('.md'))
        return [`${place}: only a page has anchors.`]
      return anchorsOf(relative(root, target)).has(anchor)
        ? []
        : [`${place}: the page has no such heading.`]
    }),
  )
}

test('there are documents to look at', () => {
  expect(documents).toEqual(
    expect.arrayContaining(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/world.md']),
  )
})

for (const file of documents)
  test(`every link of ${file} leads somewhere`, () => {
    expect(wrongLinks(file)).toEqual([])
  })

test('every page is in a named group of the sidebar', () => {
  const groups = createSidebar()
  expect(groups.flatMap(({ items }) => items).length).toBeGreaterThan(20)
  // The group is for pages that docs/.vitepress/sidebar.ts does not name: add yours there.
  expect(groups.find(({ text }) => text === 'More')?.items ?? []).toEqual([])
})

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
const places = sources.map((path) => `/${path.replaceAll('\\', '/')}/`)

function quotesIn(file: string): string[] {
  const prose = read(file).replaceAll(/^ *```[^]*?^ *```/gm, '')
  return Array.from(prose.matchAll(/`([^`\n]+)`/g), ([, text]) => text!)
}

for (const file of [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/decisions.md',
  'scenarios/README.md',
])
  test(`every path in ${file} exists`, () => {
    const paths = quotesIn(file).filter((text) =>
      /^(?!dist|greenhouse-mock|.*\/\d+$)[\w.-]+\/[\w./-]*$/.test(text),
    )
    // A path is that of the repository, or the end of one in `src`: `core/pipeline/`,
    // `operations/`.
    const exists = (path: string) =>
      existsSync(join(root, path)) ||
      places.some((place) => place.endsWith(`/${path.replace(/\/$/, '')}/`))
    expect(paths.filter((path) => !exists(path))).toEqual([])
  })

test('every name in scenarios/README.md occurs in the source', () => {
  const words = new Set(
    sources
      .filter((path) => /\.tsx?$/.test(path))
      .flatMap((path) => read(`src/${path}`).match(/\w+/g)),
  )
  const names = quotesIn('scenarios/README.md').flatMap(
    (text) => /^(?:\w+\.)*(\w+)(?:\(.*\))?$/.exec(text)?.[1] ?? [],
  )
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !words.has(name))).toEqual([])
})
