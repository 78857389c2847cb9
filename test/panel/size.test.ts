import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

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
