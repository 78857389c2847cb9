import { defineConfig } from 'vitest/config'
import { yamlFolder } from './build/yaml-folder.mjs'

export default defineConfig({
  plugins: [yamlFolder()],
  test: {
    include: ['test/**/*.test.ts'],
    // Loading msw and Express once for all files, not once each, takes two thirds off the time. No test changes a module.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: process.env['CI'] ? ['default', 'json'] : ['default'],
    outputFile: { json: 'node_modules/.cache/greenhouse/tests.json' },
  },
})
