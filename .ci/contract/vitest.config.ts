import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { moduleFolder } from '../../build/module-folder.mjs'
import { yamlFolder } from '../../build/yaml-folder.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs the contract checks with generated clients, and with the API suite through Prism. */
export default defineConfig({
  root,
  plugins: [yamlFolder(), moduleFolder()],
  // The same as in the build: see build/lazy-zod.mjs.
  resolve: { alias: { 'zod/mini': `${root}build/lazy-zod.mjs` } },
  test: { include: ['.ci/contract/*.test.ts'], testTimeout: 600_000, hookTimeout: 120_000 },
})
