import { defineConfig } from 'vitest/config'
import { yamlFolder } from './build/yaml-folder.mjs'

export default defineConfig({
  plugins: [yamlFolder()],
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: process.env['CI'] ? ['default', 'json'] : ['default'],
    outputFile: { json: 'node_modules/.cache/greenhouse/tests.json' },
  },
})
