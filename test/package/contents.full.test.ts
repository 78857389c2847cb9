import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { expect, test } from 'vitest'
import { packedProject, root } from './packed.ts'

const readManifest = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const manifest = readManifest(root)

type Target = string | { readonly [condition: string]: Target }

const pathsOf = (target: Target): string[] =>
  typeof target === 'string' ? [target] : Object.values(target).flatMap(pathsOf)

const project = packedProject()

test('the package holds the bundle, types, data files, docs, examples and license, nothing else', () => {
  const expected = [
    /^(package\.json|LICENSE|README\.md)$/,
    /^dist\/([\w-]+\.js(\.map)?|greenhouse\.cjs)$/,
    /^dist\/cli\/[\w-]+\.(cjs|json)$/,
    /^dist\/cjs\/[\w-]+\.cjs$/,
    /^dist\/types\/[\w-]+\.d\.c?ts$/,
    /^dist\/panel\/([\w-]+\.js|index\.html|panel\.css)$/,
    /^dist\/(openapi\.json|THIRD-PARTY-LICENSES\.txt)$/,
    /^(fixtures|scenarios)\/[a-z0-9-]+\.yaml$/,
    /^(scenarios\/(scenario|case)|fixtures\/fixtures)\.schema\.json$/,
    /^docs\/([\w-]+\/)*[\w-]+\.(md|png|svg)$/,
    /^docs\/public\/llms\.txt$/,
    /^examples\/([\w.-]+\/)*[\w.-]+$/,
  ]
  expect(project.files.filter((file) => !expected.some((pattern) => pattern.test(file)))).toEqual([])
  const some = ['LICENSE', 'dist/THIRD-PARTY-LICENSES.txt', 'fixtures/plants.yaml', 'scenarios/malformed-plant.yaml']
  expect(project.files).toEqual(expect.arrayContaining(some))
})

test('nothing comes along that a build or an install of our own left', () => {
  const leftovers = /node_modules|package-lock|\.vitepress|\.compiled$|\.tgz$|\.log$/
  expect(project.files.filter((file) => leftovers.test(file))).toEqual([])
})

test('the package stays small: 3.9 MB packed, 14.4 MB on disk', () => {
  expect(project.size.packed).toBeLessThan(3_900_000)
  expect(project.size.unpacked).toBeLessThan(14_400_000)
})

test('the package names no place that is not ours, and no script of it runs at an install', () => {
  const { repository, homepage, bugs, keywords, scripts } = readManifest(project.installed)
  expect([repository, homepage, bugs]).toEqual([undefined, undefined, undefined])
  expect(keywords).toEqual(expect.arrayContaining(['mock', 'testing', 'msw', 'vitest', 'jest', 'playwright']))
  // npm warns of these where a tarball is installed, and `prepare` is one of them.
  expect(Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([])
})

test('the package installs nothing else', () => {
  const { peerDependencies, peerDependenciesMeta, ...installed } = readManifest(project.installed)
  const kinds = ['dependencies', 'optionalDependencies', 'bundleDependencies']
  expect(kinds.flatMap((kind) => Object.keys(installed[kind] ?? {}))).toEqual([])
  expect(Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)).toEqual([])
})

test('what no one declares cannot be imported from the package', () => {
  const script = `for (const name of ['express', 'yargs', 'msw']) try { require.resolve(name, { paths: [${JSON.stringify(project.installed)}] }); console.log(name) } catch {}`
  expect(project.run(process.execPath, '-e', script)).toBe('')
})

test('every entry has its code and its types', () => {
  for (const [entry, target] of Object.entries<Target>(manifest.exports))
    for (const path of pathsOf(target)) expect(project.files, entry).toContain(path.replace('./', ''))
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
