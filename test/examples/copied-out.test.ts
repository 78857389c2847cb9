import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly integrity?: string }>>
}

const folder = fileURLToPath(new URL('../../examples', import.meta.url))
const projects = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'package.json')))

const read = (...path: string[]) => JSON.parse(readFileSync(join(folder, ...path), 'utf8'))

test.each(projects)(
  'the example %s names the package, and npm ci can install whatever tarball is beside it',
  (name) => {
    expect(read(name, 'package.json').devDependencies['greenhouse-mock']).toBe('file:greenhouse-mock.tgz')
    const { packages } = read(name, 'package-lock.json') as LockFile
    const entry = packages['node_modules/greenhouse-mock']
    expect(entry?.resolved).toBe('file:greenhouse-mock.tgz')
    // Each build packs another tarball. `npm install` adds it: remove it again.
    expect(entry?.integrity).toBeUndefined()
    // npm gets these from its configured registry.
    const addresses = Object.values(packages).flatMap(({ resolved = '' }) =>
      resolved.includes('://') ? [resolved] : [],
    )
    expect(addresses).toEqual([])
  },
)

test('the page about the examples names them all', () => {
  const page = readFileSync(join(folder, 'README.md'), 'utf8')
  expect(projects.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
