import { configDefaults, defineConfig } from 'vitest/config'
import ours from '../../vitest.config.ts'
import { installOwn } from '../programs.mjs'

const full = '.ci/contract/*.full.test.ts'

/**
 * What others make of the OpenAPI document and of the server. `--mode full` runs what .ci/nightly
 * adds. Needs a build.
 */
export default defineConfig(({ mode }) => {
  installOwn()
  const { plugins, resolve } = ours({ mode: 'test', command: 'serve' })
  return {
    root: `${import.meta.dirname}/../..`,
    plugins,
    resolve,
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
