import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { moduleFolder } from './build/module-folder.mjs'
import { yamlFolder } from './build/yaml-folder.mjs'

/** It ends a test that hangs, and is never part of what a test shows, so a busy machine has time. */
const timeout = process.env['CI'] ? 600_000 : 180_000

export default defineConfig({
  plugins: [yamlFolder(), moduleFolder()],
  // As in the build: see build/lazy-zod.mjs.
  resolve: { alias: { 'zod/mini': fileURLToPath(new URL('build/lazy-zod.mjs', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/built.ts'],
    setupFiles: ['test/support/quiet.ts'],
    // Loading msw and Express once a worker, not once a file, takes two thirds off the time. No test changes a module.
    isolate: false,
    // Some of a test is waiting, for sockets, a browser, a process: half as many more take 3 % off the time.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Workers that live for hundreds of files collect garbage often: more room for what is young takes another 3 % off.
    execArgv: ['--max-semi-space-size=64'],
    testTimeout: timeout,
    hookTimeout: timeout,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    reporters: process.env['CI'] ? ['dot', 'json', './test/support/slowest.ts'] : ['dot'],
    outputFile: { json: 'node_modules/.cache/greenhouse/tests.json' },
  },
})
