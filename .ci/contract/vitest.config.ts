import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { moduleFolder } from '../../build/module-folder.mjs'
import { yamlFolder } from '../../build/yaml-folder.mjs'
import { installOwn } from '../install.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What others make of the OpenAPI document and of the server. `--mode full` runs what .ci/nightly adds. Needs a build. */
export default defineConfig(({ mode }) => {
  installOwn()
  const full = '.ci/contract/*.full.test.ts'
  return {
    root,
    plugins: [yamlFolder(), moduleFolder()],
    // The same as in the build: see build/lazy-zod.mjs.
    resolve: { alias: { 'zod/mini': `${root}build/lazy-zod.mjs` } },
    test: {
      include: [mode === 'full' ? full : '.ci/contract/*.test.ts'],
      exclude: mode === 'full' ? configDefaults.exclude : [...configDefaults.exclude, full],
      // Report cards measure waits.
      fileParallelism: mode !== 'full',
      testTimeout: 600_000,
      hookTimeout: 120_000,
      reporters: ['verbose'],
    },
  }
})
