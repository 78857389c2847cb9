import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'

/** A folder with a program in it that opens pages, or only seems to: it writes down what it was given. */
function installOpener(exitCode: number): string {
  const folder = writeFolder({
    [opener]: `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > "$(dirname "$0")/opened.part"\nmv "$(dirname "$0")/opened.part" "$(dirname "$0")/opened"\nexit ${exitCode}\n`,
  })
  chmodSync(join(folder, opener), 0o755)
  return folder
}

function startWith(path: string) {
  return startServe(['--open'], { env: { ...process.env, PATH: path } })
}

test.skipIf(process.platform === 'win32')('serve --open gives the URL of the panel to what opens pages', async () => {
  const folder = installOpener(0)
  const { ready, stop } = await startWith(`${folder}:${process.env['PATH']}`)
  await expect.poll(() => existsSync(join(folder, 'opened'))).toBe(true)
  expect(readFileSync(join(folder, 'opened'), 'utf8')).toBe(`1\n${ready.panel_url}\n`)
  expect(await stop()).toMatchObject({ code: 0, stderr: '' })
})

test.skipIf(process.platform === 'win32')('without such a program it says so, and serves', async () => {
  const { ready, call, output, stop } = await startWith(writeFolder({}))
  await expect
    .poll(() => output.stderr)
    .toBe(`Failed to open the panel: ${opener} was not found on the PATH. Open ${ready.panel_url} yourself.\n`)
  expect((await call('/plants')).status).toBe(200)
  expect((await stop()).code).toBe(0)
})

test.skipIf(process.platform === 'win32')('a program that fails is reported too', async () => {
  const { ready, output, stop } = await startWith(`${installOpener(3)}:${process.env['PATH']}`)
  await expect
    .poll(() => output.stderr)
    .toBe(`Failed to open the panel: ${opener} ended with exit code 3. Open ${ready.panel_url} yourself.\n`)
  expect((await stop()).code).toBe(0)
})

test('without --open nothing is opened', async () => {
  const folder = writeFolder({})
  const { output, stop } = await startServe([], { env: { ...process.env, PATH: folder } })
  await stop()
  expect(output.stderr).toBe('')
})
