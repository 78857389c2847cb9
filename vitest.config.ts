import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { moduleFolder } from './build/module-folder.mjs'
import { yamlFolder } from './build/yaml-folder.mjs'

/** It ends a test that hangs, and is never part of what a test shows, so a busy machine has time. */
const timeout = process.env['CI'] ? 600_000 : 180_000

/** What the tests call `greenhouse-mock`: what ships, or the source, for coverage, mutation and debugging. */
const fromSource = process.env['GREENHOUSE_TEST'] === 'src'
const entry = (name: string) =>
  fileURLToPath(new URL(fromSource ? `src/${name}.ts` : `dist/${name}.js`, import.meta.url))

export default defineConfig(({ mode }) => {
  /** `npm run test:full`: the slow files too, and all that is repeated at its full size. */
  const isFull = mode === 'full'
  const namesSlowFile = process.argv.some((word) => word.includes('.full.'))
  return {
    plugins: [yamlFolder(), moduleFolder()],
    resolve: {
      alias: [
        // As in the build: see build/lazy-zod.mjs.
        { find: 'zod/mini', replacement: fileURLToPath(new URL('build/lazy-zod.mjs', import.meta.url)) },
        { find: /^greenhouse-mock$/, replacement: entry('index') },
        { find: /^greenhouse-mock\/([a-z-]+)$/, replacement: entry('$1') },
      ],
    },
    test: {
      include: ['test/**/*.test.ts'],
      exclude: isFull || namesSlowFile ? configDefaults.exclude : [...configDefaults.exclude, 'test/**/*.full.test.ts'],
      ...(isFull && process.env['GREENHOUSE_SOAK'] === undefined && { env: { GREENHOUSE_SOAK: '1' } }),
      // Node loads what ships by itself, as it does for a user.
      server: { deps: { external: [/\/dist\//] } },
      globalSetup: ['test/support/built.ts'],
      setupFiles: ['test/support/quiet.ts', 'test/support/processor-time.ts'],
      // Loading msw and Express once a worker, not once a file, takes two thirds off the time. No test changes a module.
      isolate: false,
      // Some of a test is waiting, for sockets, a browser, a process: half as many more take 3 % off the time.
      maxWorkers: Math.ceil(availableParallelism() * 1.5),
      // Workers that live for hundreds of files collect garbage often: more room for what is young takes another 3 % off.
      execArgv: ['--max-semi-space-size=64'],
      testTimeout: timeout,
      hookTimeout: timeout,
      expect: { poll: { timeout: 120_000, interval: 20 } },
      reporters: [
        'dot',
        './test/support/price.ts',
        ...(process.env['CI'] ? [['json', { outputFile: 'node_modules/.cache/greenhouse/tests.json' }] as const] : []),
      ],
    },
  }
})
