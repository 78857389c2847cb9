import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installPacked, root, type Project } from './packed.ts'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
let project: Project

beforeAll(() => {
  project = installPacked()
})

afterAll(() => project.remove())

test('the package holds the bundle, its types, the data files and the license, and nothing else', () => {
  const expected = [/^package\.json$/, /^LICENSE$/, /^README\.md$/, /^dist\/[\w-]+\.js$/, /^dist\/types\/[\w-]+\.d\.ts$/, /^dist\/THIRD-PARTY-LICENSES\.txt$/, /^(fixtures|scenarios)\/[a-z0-9-]+\.yaml$/, /^scenarios\/scenario\.schema\.json$/]
  expect(project.files.filter((file) => !expected.some((pattern) => pattern.test(file)))).toEqual([])
  expect(project.files).toEqual(expect.arrayContaining(['LICENSE', 'dist/THIRD-PARTY-LICENSES.txt', 'fixtures/plants.yaml', 'scenarios/malformed-plant.yaml']))
})

test('the package installs nothing else but Express and what that needs', () => {
  expect(Object.keys(manifest.dependencies ?? {})).toEqual(['express'])
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, { dev?: boolean; peer?: boolean; devOptional?: boolean }> }
  const needed = Object.entries(packages).filter(([, { dev, peer, devOptional }]) => !dev && !peer && !devOptional)
  const names = new Set(needed.map(([path]) => path.split('node_modules/').pop()))
  expect(project.run('ls', 'node_modules').trim().split('\n').filter((name) => name !== 'greenhouse-mock' && !names.has(name))).toEqual([])
})

test('every entry has its code and its types', () => {
  for (const [entry, target] of Object.entries<{ types: string; default: string } | string>(manifest.exports)) {
    const paths = typeof target === 'string' ? [target] : [target.types, target.default]
    for (const path of paths) expect(project.files, entry).toContain(path.replace('./', ''))
  }
})

test('the command can be executed', () => {
  const command = join(root, manifest.bin.greenhouse)
  expect(readFileSync(command, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  expect(statSync(command).mode & 0o111).toBe(0o111)
})

test('publint finds nothing', async () => {
  const { messages } = await publint({ pkgDir: root, pack: false })
  expect(messages.map((message) => formatMessage(message, manifest))).toEqual([])
})

test('the lock file names no registry', () => {
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved"|https?:\/\/[^"]*\.tgz/)
})
