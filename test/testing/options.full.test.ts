import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { writeFolder } from '../support/folder.ts'
import { startProcess } from '../support/process.ts'

const name = 'greenhouse.config.yaml'
const text = `apps: https://apps.test/v1\nport: 4123\nassumptions: { http.head: as-get }\nuse: [slow]\nnow: 2026-01-31\n`

test('the fixtures of Vitest take the configuration file', async () => {
  const modules = `import { expect } from '${pathToFileURL('node_modules/vitest/dist/index.js').href}'
    import { createTest, test } from '${pathToFileURL('dist/vitest.js').href}'`
  const folder = writeFolder({
    [name]: text,
    'own.test.mjs': `${modules}
      test('has it', ({ world, api }) => {
        expect([world.scenarios, api.appsUrl]).toEqual([['slow'], \`https://apps.test/~\${world.name}/v1\`])
      })`,
    'other.test.mjs': `${modules}
      createTest({ use: [] })('has its own', ({ world }) => expect(world.scenarios).toEqual([]))`,
  })
  const words = [resolve('node_modules/vitest/vitest.mjs'), 'run', '--testTimeout', '150000']
  const options = { cwd: folder, env: { ...process.env, NO_COLOR: '1' } }
  const { code, stdout, stderr } = await startProcess(process.execPath, words, options).ended
  expect([code, stdout + stderr]).toEqual([0, expect.stringMatching(/Tests +2 passed/)])
})
