import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { moduleFolder } from './build/module-folder.mjs'
import { yamlFolder } from './build/yaml-folder.mjs'
import { core, left } from './test/core-lane.ts'

/**
 * It ends a test that hangs, and is never part of what a test shows, so a busy machine has time.
 */
const timeout = process.env['CI'] ? 600_000 : 180_000

/**
 * What the tests call `greenhouse-mock`: what ships, or the source, for the fast lane, coverage,
 * mutation and debugging.
 */
const toEntry = (fromSource: boolean) => (name: string) =>
  fileURLToPath(new URL(fromSource ? `src/${name}.ts` : `dist/${name}.js`, import.meta.url))

/** What `npm run test:full` adds: these files, and at full size those that repeat something. */
const slow = 'test/**/*.full.test.ts'
const namesSlow = process.argv.some((word) => word.includes('.full.'))
const repeating = () =>
  readdirSync(new URL('test', import.meta.url), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path}`)
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) =>
      readFileSync(new URL(path, import.meta.url), 'utf8').includes('support/soak.ts'),
    )

/**
 * The share of their full size at which they run: see test/support/soak.ts. At 0, `npm test` has
 * run them already.
 */
const soak = process.env['TEST_SOAK'] ?? '1'

/** Where `.ci/run` reads what passed and failed. */
const results = (isFull: boolean) =>
  `node_modules/.cache/greenhouse/${isFull ? 'tests-full' : 'tests'}.json`

export default defineConfig(({ mode }) => {
  const isFull = mode === 'full'
  const isCore = mode === 'core'
  const entry = toEntry(isCore || process.env['TEST_TARGET'] === 'src')
  const usual = isCore ? [core] : ['test/**/*.test.ts']
  return {
    plugins: [yamlFolder(), moduleFolder()],
    resolve: {
      alias: [
        // As in the build: see build/lazy-zod.mjs.
        {
          find: 'zod/mini',
          replacement: fileURLToPath(new URL('build/lazy-zod.mjs', import.meta.url)),
        },
        { find: /^greenhouse-mock$/, replacement: entry('index') },
        { find: /^greenhouse-mock\/([a-z-]+)$/, replacement: entry('$1') },
      ],
    },
    // A change of the source is built, and what is built would start the tests anew once more.
    server: { watch: { ignored: ['**/dist/**'] } },
    test: {
      include: isFull ? [slow, ...(soak === '0' ? [] : repeating())] : usual,
      exclude: [
        ...configDefaults.exclude,
        ...(isFull || namesSlow ? [] : [slow]),
        ...(isCore ? left : []),
      ],
      ...(isFull && { env: { TEST_SOAK: soak } }),
      ...(isCore && { env: { TEST_LANE: 'core' } }),
      // The tests see what ships, so no import leads from them to what it is built from.
      forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/{src,fixtures,scenarios}/**'],
      // Node loads what ships by itself, as it does for a user.
      server: { deps: { external: [/\/dist\//] } },
      globalSetup: isCore ? [] : ['test/support/built.ts'],
      setupFiles: [
        'test/support/quiet.ts',
        'test/support/seed.ts',
        'test/support/processor-time.ts',
        ...(isCore ? ['test/support/without-sockets.ts'] : []),
      ],
      // Loading msw and Express once a worker, not once a file, takes two thirds off the time. No
      // test changes a module.
      isolate: false,
      // A test waits for sockets, a browser, a process; but each worker loads all again, and starts
      // a browser.
      maxWorkers: availableParallelism() + 1,
      // Workers that live for hundreds of files collect garbage often: more room for what is young
      // takes 3 % off. All processors are busy already, so that helpers of the collector only cost;
      // and most code runs a few times, for which it is compiled fast or not at all. Both take some 5 %.
      execArgv: ['--max-semi-space-size=64', '--single-threaded-gc', '--always-sparkplug'],
      testTimeout: timeout,
      hookTimeout: timeout,
      expect: { poll: { timeout: 120_000, interval: 20 } },
      reporters: [
        'dot',
        './test/support/price.ts',
        ...(process.env['CI'] ? [['json', { outputFile: results(isFull) }] as const] : []),
      ],
    },
  }
})
