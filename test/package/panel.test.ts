import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown, type OutputChunk } from 'rolldown'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { mountPanel } from 'greenhouse-mock/panel'
import { root } from './packed.ts'

const page = join(import.meta.dirname, 'page.js')

/**
 * Bundles a page as a user's bundler would. @param isDev what it puts in the place of
 * `import.meta.env.DEV`
 */
async function bundle(code: string, isDev = true): Promise<OutputChunk[]> {
  const build = await rolldown({
    input: 'page',
    platform: 'browser',
    plugins: [
      {
        name: 'page',
        resolveId: (id, importer) => (id === 'page' ? page : importer ? null : id),
        load: (id) => (id === page ? code : null),
      },
    ],
    transform: { define: { 'import.meta.env.DEV': String(isDev) } },
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'esm', minify: true })
  await build.close()
  return output.filter((part) => part.type === 'chunk')
}

async function weigh(file: string): Promise<number> {
  const build = await rolldown({ input: file, platform: 'browser', external: (id) => id !== file })
  const { output } = await build.generate({ format: 'esm', minify: true })
  await build.close()
  return gzipSync(output[0].code).length
}

const ofThePackage = (chunks: readonly OutputChunk[]) =>
  chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => /[\\/]dist[\\/]/.test(id))

const guarded = `
if (import.meta.env.DEV) {
  const { mountPanel } = await import('greenhouse-mock/panel')
  globalThis.mounted = mountPanel(globalThis.greenhouse)
}`

test('a production build has nothing of the panel', async () => {
  const chunks = await bundle(guarded, false)
  expect(ofThePackage(chunks)).toEqual([])
  expect(chunks.map(({ code }) => code).join()).not.toMatch(/greenhouse/i)
})

test('a development build loads the panel as it is mounted, and what draws it as it opens', async () => {
  const chunks = await bundle(guarded)
  expect(chunks.find(({ isEntry }) => isEntry)!.code).not.toContain('greenhouse-panel')
  const withButton = chunks.filter(({ code }) => code.includes('attachShadow'))
  expect(withButton).toHaveLength(1)
  expect(withButton[0]!.code).not.toContain('.side-bar')
  expect(chunks.filter(({ code }) => code.includes('.side-bar'))).toHaveLength(1)
})

test('a page loads nothing of an unused import', async () => {
  const chunks = await bundle(
    `import { mountPanel } from 'greenhouse-mock/panel'\nglobalThis.started = true`,
  )
  const entry = chunks.find(({ isEntry }) => isEntry)!
  expect([entry.imports, entry.dynamicImports, ofThePackage([entry])]).toEqual([[], [], []])
})

test('the panel adds at most 132 KiB, gzipped, to a page that has the mock', async () => {
  const filesOf = async (...imports: string[]) =>
    ofThePackage(
      await bundle(
        `globalThis.load = () => [${imports.map((name) => `import('${name}')`).join()}]`,
      ),
    )
  const own = await filesOf('greenhouse-mock', 'greenhouse-mock/msw')
  const added = (await filesOf('greenhouse-mock/panel')).filter((id) => !own.includes(id))
  const sizes = await Promise.all(added.map(weigh))
  const size = sizes.reduce((sum, one) => sum + one, 0)
  expect(size).toBeGreaterThan(20 * 1024)
  expect(size).toBeLessThan(132 * 1024)
})

test('outside a page the panel can be imported, and refuses to be mounted', () => {
  expect(() => mountPanel(createGreenhouse())).toThrow('there is no document')
})

test.each([
  [{ position: 'top' }, /position: expected one of "bottom", "left", "right"/],
  [{ world: 'a b' }, /world: expected the name of a world/],
  [{ plants: '/plants' }, /plants: expected an absolute URL/],
  [{ opened: true }, /opened: there is no such option.*Did you mean "open"/],
])('%o is refused', (options, message) => {
  expect(() => mountPanel(createGreenhouse(), options as object)).toThrow(message)
})

const files = readdirSync('dist/panel')

/** Returns a script of the panel and those that it imports, but for what is loaded later. */
function startScripts(name: string, found = new Map<string, Buffer>()) {
  if (found.has(name)) return found
  const code = readFileSync(`dist/panel/${name}`)
  found.set(name, code)
  for (const [, imported] of code.toString().matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g))
    startScripts(imported!, found)
  return found
}

test('the scripts that the panel starts with have at most 62,000 bytes, gzipped', () => {
  const sizes = Array.from(startScripts('panel.js').values(), (code) => gzipSync(code).length)
  expect(sizes.reduce((total, size) => total + size)).toBeLessThanOrEqual(62_000)
})

test('the page names no other site, and no file that is not there', () => {
  const page = readFileSync('dist/panel/index.html', 'utf8')
  const named = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url!)
  const paths = named.filter((url) => url !== 'data:,' && !url.startsWith('#/'))
  expect(paths.filter((path) => !files.includes(path.replace('panel/', '')))).toEqual([])
  expect(page).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]*src=)/)
})

const folder = join(root, 'src/panel')

/** Files that know whether the panel has its own page. */
const atThePage = ['main.ts', 'data/surface.ts', 'in-page/']

/** In a shadow root these find nothing, or are someone else's. */
const ofThePage =
  /\bdocument\s*\.\s*(activeElement|getElementById|querySelector(All)?|title|documentElement|body)\b|\b(window|globalThis)\.\w|\blocation\.(hash|href)\b|\bhistory\.(push|replace)State\b/

test('the panel gets elements, focus, title and route from its surface, not from the page', () => {
  const found = readdirSync(folder, { recursive: true })
    .map((path) => String(path).replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !atThePage.some((place) => path.startsWith(place)))
    .flatMap((path) =>
      readFileSync(join(folder, path), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          ofThePage.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
        ),
    )
  expect(found).toEqual([])
})
