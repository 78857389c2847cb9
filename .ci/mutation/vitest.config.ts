import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import configure from '../../vitest.config.ts'
import { root } from './mutants.mjs'

const folder = process.env['MUTATION_FOLDER']!

const ours = configure({ mode: 'test', command: 'serve' })

/** Loads the copy of a source file that contains its mutants. */
const mutants = {
  name: 'mutants',
  enforce: 'pre' as const,
  load(id: string) {
    const file = join(folder, 'source', id.slice(root.length))
    return id.startsWith(root + 'src/') && existsSync(file) ? readFileSync(file, 'utf8') : null
  },
}

/** Vitest sees one test, in nothing.ts. Its runner runs ours, for one mutant after another. */
export default defineConfig({
  root,
  plugins: [mutants, ...ours.plugins!],
  resolve: ours.resolve,
  test: {
    ...ours.test,
    include: ['.ci/mutation/nothing.ts'],
    runner: join(root, '.ci/mutation/runner.ts'),
    globalSetup: [],
    maxWorkers: 1,
    execArgv: ['--max-semi-space-size=64', '--max-old-space-size=2000'],
    expect: { poll: { timeout: 8_000, interval: 20 } },
    reporters: ['dot'],
    experimental: { fsModuleCache: true, fsModuleCachePath: join(folder, 'modules') },
  },
})
