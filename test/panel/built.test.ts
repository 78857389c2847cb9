import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../package/packed.ts'

const files = readdirSync('dist/panel')

test('all scripts of the panel together are at most 87 KiB, gzipped', () => {
  const sizes = files
    .filter((file) => file.endsWith('.js'))
    .map((file) => gzipSync(readFileSync(`dist/panel/${file}`)).length)
  expect(sizes.length).toBeGreaterThan(1)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(87 * 1_024)
})

test('the page names no other site, and no file that is not there', () => {
  const page = readFileSync('dist/panel/index.html', 'utf8')
  const named = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url!)
  expect(
    named
      .filter((url) => url !== 'data:,' && !url.startsWith('#/'))
      .map((url) => url.replace('panel/', ''))
      .every((name) => files.includes(name)),
  ).toBe(true)
  expect(page).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]*src=)/)
})

const folder = join(root, 'src/panel')

/** Files that know whether the panel has its own page. */
const atThePage = ['main.ts', 'data/surface.ts', 'data/route-place.ts', 'in-page/']

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
        .flatMap((line, index) => (ofThePage.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    )
  expect(found).toEqual([])
})
