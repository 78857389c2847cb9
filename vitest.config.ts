import { defineConfig } from 'vitest/config'
import { yamlFolder } from './build/yaml-folder.mjs'

export default defineConfig({
  plugins: [yamlFolder()],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/built.ts'],
    setupFiles: ['test/support/quiet.ts'],
    // Loading msw and Express once a worker, not once a file, takes two thirds off the time. No test changes a module.
    isolate: false,
    maxWorkers: '100%',
    // They end a test that hangs, and are never part of what a test shows, so a busy machine has time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    reporters: process.env['CI'] ? ['dot', 'json'] : ['dot'],
    outputFile: { json: 'node_modules/.cache/greenhouse/tests.json' },
  },
})
