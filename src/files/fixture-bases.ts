import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Problem } from '../core/definitions/problem.ts'
import { bundledFixtures } from '../fixtures/bundled.ts'
import type { FixtureDocument } from '../fixtures/check.ts'
import { isExtending, resolveFixtures } from '../fixtures/resolve.ts'
import type { Catalogue } from '../greenhouse/assembly/make-catalogue.ts'
import { readDataFolder } from './folder.ts'
import { parseYamlBytes, type YamlFile } from './yaml.ts'

interface FixtureBases {
  readonly files: YamlFile[]
  readonly problems: Problem[]
  find(name: string, from: string): readonly FixtureDocument[] | string
}

export function createFixtureBases(collections: Catalogue['collections'], chain: readonly string[] = []): FixtureBases {
  const files: YamlFile[] = []
  const problems: Problem[] = []
  return {
    files,
    problems,
    find(name, from) {
      if (name === 'default')
        return bundledFixtures.map((data, index) => ({ file: `default fixtures, ${index + 1}`, data }))
      const path = resolve(dirname(from), name)
      const before = [...chain, resolve(from)]
      if (before.includes(path)) return `extends itself: ${[...before.slice(before.indexOf(path)), path].join(' → ')}`
      let read: YamlFile[]
      try {
        read = statSync(path).isDirectory() ? readDataFolder(path) : [parseYamlBytes(path, readFileSync(path))]
      } catch (error) {
        return `cannot be read: ${(error as Error).message}. Expected "default", or a path relative to this file.`
      }
      files.push(...read)
      problems.push(...read.flatMap((file) => file.problems))
      if (!read.some(({ data }) => isExtending(data))) return read
      const inner = createFixtureBases(collections, before)
      const resolved = resolveFixtures(read, collections, inner.find)
      files.push(...inner.files)
      problems.push(...inner.problems, ...resolved.problems)
      return resolved.documents
    },
  }
}
