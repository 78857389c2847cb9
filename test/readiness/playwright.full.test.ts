import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, toUserEnvironment } from '../package/packed.ts'
import { command, startProcess } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'
import { findFreePort } from '../support/free-port.ts'

const config = readFileSync(join(root, 'examples/readiness/playwright.config.ts'), 'utf8')

const suite = `
import { expect, test } from '@playwright/test'

test('the server is there', async ({ request }) => {
  const reply = await request.get('http://127.0.0.1:4010/plants', { headers: { authorization: 'Bearer key_pro' } })
  expect(reply.status()).toBe(200)
})
`

test('Playwright starts the server, waits for its health, and ends it', async () => {
  const port = await findFreePort()
  const own = (text: string) => text.replaceAll('127.0.0.1:4010', `127.0.0.1:${port}`)
  expect(config).toContain(`command: 'npx greenhouse-mock serve'`)
  const folder = writeFolder({
    'package.json': '{ "type": "module" }',
    'playwright.config.ts': own(config).replace(
      'npx greenhouse-mock serve',
      `"${process.execPath}" "${command}" serve`,
    ),
    'server.spec.ts': own(suite),
  })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  const { code, stdout, stderr } = await startProcess(
    process.execPath,
    [cli, 'test', '--reporter', 'line'],
    {
      cwd: folder,
      env: {
        ...toUserEnvironment(),
        GREENHOUSE_PORT: String(port),
        GREENHOUSE_TOKEN: 's3cret',
        NO_COLOR: '1',
      },
    },
  ).ended
  expect(code, stdout + stderr).toBe(0)
  expect(stdout).toContain('1 passed')
  await expect(fetch(`http://127.0.0.1:${port}/__greenhouse/health`)).rejects.toThrow()
})
