import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { expect, test } from 'vitest'
import { packedProject, root } from './packed.ts'

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const manifest = readManifest(root)

const project = packedProject()

test('the package holds the bundle, types, data files, docs, examples and license, nothing else', () => {
  const expected = [
    /^(package\.json|LICENSE|README\.md)$/,
    /^dist\/([\w-]+\.m?js|greenhouse\.cjs)$/,
    /^dist\/cjs\/([\w-]+\.c?js|package\.json|fixtures-[a-z]+\.json)$/,
    /^dist\/docs\/[\w-]+\.md$/,
    /^dist\/types\/[\w-]+\.d\.c?ts$/,
    /^dist\/panel\/([\w-]+\.js|index\.html|panel\.css)$/,
    /^dist\/(openapi\.json|THIRD-PARTY-LICENSES\.txt)$/,
    /^(fixtures|scenarios)\/[a-z0-9-]+\.yaml$/,
    /^(scenarios\/(scenario|case|config)|fixtures\/fixtures)\.schema\.json$/,
    /^docs\/([\w-]+\/)*[\w-]+\.(md|png|svg)$/,
    /^docs\/public\/llms\.txt$/,
    /^examples\/([\w.-]+\/)*[\w.-]+$/,
  ]
  expect(project.files.filter((file) => !expected.some((pattern) => pattern.test(file)))).toEqual(
    [],
  )
  const some = [
    'LICENSE',
    'dist/THIRD-PARTY-LICENSES.txt',
    'dist/panel/panel.css',
    'scenarios/malformed-plant.yaml',
  ]
  expect(project.files).toEqual(expect.arrayContaining(['fixtures/plants.yaml', ...some]))
})

test('nothing comes along that a build or an install of our own left', () => {
  const leftovers = /node_modules|package-lock|\.vitepress|\.compiled$|\.tgz$|\.log$/
  expect(project.files.filter((file) => leftovers.test(file))).toEqual([])
})

test('pages of the package link only to files of the package', () => {
  const read = (page: string) => readFileSync(join(project.installed, page), 'utf8')
  const linksOf = (page: string) =>
    Array.from(read(page).matchAll(/\]\(([^)\s#:]+)(?:#[^)\s]*)?\)/g), ([, path]) =>
      posix.join(dirname(page), path!),
    )
  const pages = project.files.filter((file) => file.endsWith('.md'))
  const dead = pages.flatMap(linksOf).filter((path) => {
    const folder = path.replace(/\/?$/, '/')
    return !project.files.some((file) => file === path || file.startsWith(folder))
  })
  expect(pages.length).toBeGreaterThan(40)
  expect(dead).toEqual([])
})

test('an example that a page names is in the package, or the page says that it is in a clone', () => {
  const isPacked = (path: string) =>
    project.files.some((file) => file === path || file.startsWith(`${path}/`))
  const missing = project.files
    .filter((file) => file.endsWith('.md') && file.startsWith('docs/'))
    .flatMap((page) => {
      const prose = readFileSync(join(project.installed, page), 'utf8').replaceAll(
        /^ *```\w+ file=[^]*?^ *```$/gm,
        '',
      )
      return prose
        .split('\n')
        .filter((line) => !line.includes('in a clone'))
        .flatMap((line) => line.match(/(?<=[`/ ])examples\/[\w./-]*\w/g) ?? [])
        .filter((path) => !isPacked(path))
        .map((path) => `${page}: ${path}`)
    })
  expect(missing).toEqual([])
})

test('the package stays small: 1.9 MB packed, 6 MB on disk, 460 files', () => {
  expect(project.size.packed).toBeLessThan(1_900_000)
  expect(project.size.unpacked).toBeLessThan(6_000_000)
  expect(project.files.length).toBeLessThanOrEqual(460)
})

test('the package is found by its keywords, and no script of it runs at an install', () => {
  const { keywords, scripts } = readManifest(project.installed)
  expect(keywords).toEqual(
    expect.arrayContaining(['mock', 'testing', 'msw', 'vitest', 'jest', 'playwright']),
  )
  // npm warns of these where a tarball is installed, and `prepare` is one of them.
  expect(
    Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name)),
  ).toEqual([])
})

test('the package installs nothing else', () => {
  const { peerDependencies, peerDependenciesMeta, ...installed } = readManifest(project.installed)
  const kinds = ['dependencies', 'optionalDependencies', 'bundleDependencies']
  expect(kinds.flatMap((kind) => Object.keys(installed[kind] ?? {}))).toEqual([])
  expect(
    Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional),
  ).toEqual([])
})

test('undeclared paths cannot be imported from the package', () => {
  const script = `for (const name of ['express', 'yargs', 'msw']) try { require.resolve(name, { paths: [${JSON.stringify(project.installed)}] }); console.log(name) } catch {}`
  expect(project.run(process.execPath, '-e', script)).toBe('')
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
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(
    /"resolved"|https?:\/\/[^"]*\.tgz/,
  )
})

const runner = 'export const expect = {}, test = {}\n'

const peers: Readonly<Record<string, string>> = {
  msw: 'export const http = { all: () => ({ log: async () => {} }) }\nexport class HttpResponse extends Response {}\n',
  'msw 1': 'export const rest = {}\n',
  vitest: runner,
  '@playwright/test': runner,
}

const uses = {
  msw: `const { createHandlers } = await import('greenhouse-mock/msw')
    console.log(createHandlers((await import('greenhouse-mock')).createGreenhouse()).length)`,
  testing: `const { createWithWorld } = await import('greenhouse-mock/testing')
    await createWithWorld({ plants: 'https://plants.test' })(() => {})()`,
  vitest: `await import('greenhouse-mock/vitest')`,
  playwright: `await import('greenhouse-mock/playwright')`,
}

const tooOldNode =
  'it runs on Node 22.12 or later, and this is Node 22.11.0. Update Node, or install msw 2: npm i -D msw@2'

test.each<[use: keyof typeof uses, peer: string, version: string, node: string, output: string]>([
  ['msw', 'msw', '2.11.0', '20.19.0', '2'],
  ['msw', 'msw', '2.15.0', '20.19.0', '2'],
  ['msw', 'msw', '3.0.5', '22.12.0', '2'],
  ['msw', 'msw', '3.0.5', '22.11.0', `greenhouse-mock/msw can't use msw 3.0.5: ${tooOldNode}`],
  ['testing', 'msw', '3.0.5', '22.11.0', `A test that uses msw can't use msw 3.0.5: ${tooOldNode}`],
  ...(
    [
      ['msw', 'greenhouse-mock/msw', 'msw', '2.11', '2.10.5'],
      ['msw', 'greenhouse-mock/msw', 'msw 1', '2.11', '1.3.5'],
      ['testing', 'A test that uses msw', 'msw 1', '2.11', '1.3.5'],
      ['vitest', 'greenhouse-mock/vitest', 'vitest', '3.2', '2.1.9'],
      ['playwright', 'greenhouse-mock/playwright', '@playwright/test', '1.40', '1.39.0'],
    ] as const
  ).map(([use, user, peer, oldest, version]): [typeof use, string, string, string, string] => {
    const name = peer.replace(/ .*/, '')
    const sentence = `${user} needs ${name} ${oldest} or later, but ${version} is installed. Update it: npm i -D ${name}@latest`
    return [use, peer, version, '24.0.0', sentence]
  }),
])('%s with %s %s on Node %s: %s', (use, peer, version, node, output) => {
  const file = `node_modules/${peer.replace(/ .*/, '')}/package.json`
  mkdirSync(dirname(`${project.folder}/${file}`), { recursive: true })
  project.write(file.replace('package.json', 'index.js'), peers[peer]!)
  project.write(
    file,
    JSON.stringify({ version, type: 'module', exports: { '.': './index.js', './*': './*' } }),
  )
  const script = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })
    try {
      ${uses[use]}
    } catch (error) {
      console.log(error.message)
    }
  `
  expect(project.run(process.execPath, '--input-type=module', '-e', script).trim()).toBe(output)
})
