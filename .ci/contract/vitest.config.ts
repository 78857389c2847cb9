import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { yamlFolder } from '../../build/yaml-folder.mjs'

/** The part of the contract's checks that drives the API suite through Prism. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  plugins: [yamlFolder()],
  test: { include: ['.ci/contract/*.test.ts'], testTimeout: 600_000, hookTimeout: 120_000 },
})
