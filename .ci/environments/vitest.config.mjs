import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['tests/*.test.mjs'], testTimeout: 60_000, env: { RUNNER: 'vitest' }, reporters: ['default'] },
})
