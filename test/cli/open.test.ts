import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPage } from '../../src/cli/commands/serve.ts'
import { startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

const unix = test.skipIf(process.platform === 'win32')

/** Makes a folder with a program that writes down what it was given, and ends. */
function install(program: string, exitCode = 0): string {
  const folder = writeFolder({
    [program]: `#!/bin/sh\ncd "$(dirname "$0")"\nprintf '%s\\n' "$@" > given.part\nmv given.part given\nexit ${exitCode}\n`,
  })
  chmodSync(join(folder, program), 0o755)
  return folder
}

const withSystem = (folder: string) => `${folder}:${process.env['PATH']}`

async function readGiven(folder: string): Promise<string[]> {
  await expect.poll(() => existsSync(join(folder, 'given'))).toBe(true)
  return readFileSync(join(folder, 'given'), 'utf8').trimEnd().split('\n')
}

const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'

const startWith = (path: string, ...flags: string[]) => startServe(flags, { env: { ...process.env, PATH: path } })

unix('serve --open gives the URL of the panel to what opens pages', async () => {
  const folder = install(opener)
  const { ready, stop } = await startWith(withSystem(folder), '--open')
  expect(await readGiven(folder)).toEqual([ready.panel_url])
  expect(await stop()).toMatchObject({ code: 0, stderr: '' })
})

unix.each([
  ['is missing', () => writeFolder({}), `${opener} was not found on the PATH`],
  ['fails', () => withSystem(install(opener, 3)), `${opener} ended with exit code 3`],
])('where the program %s, serve --open says so, and serves', async (_, toPath, reason) => {
  const { ready, call, output, stop } = await startWith(toPath(), '--open')
  const message = `Failed to open the panel: ${reason}. Open ${ready.panel_url} yourself.\n`
  await expect.poll(() => output.stderr).toBe(message)
  expect((await call('/plants')).status).toBe(200)
  expect((await stop()).code).toBe(0)
})

test('without --open nothing is opened', async () => {
  const { stop } = await startWith(writeFolder({}))
  expect((await stop()).stderr).toBe('')
})

const url = 'http://127.0.0.1:4010/__greenhouse/?a=1&b=%PATH%#/traffic?status=4xx&search="a b"'

const commands = [
  ['darwin', ['open', url]],
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler', url]],
  ['linux', ['xdg-open', url]],
  ['freebsd', ['xdg-open', url]],
] as const

function openWith(path: string, platform: NodeJS.Platform) {
  const output = { text: '' }
  const stderr = { write: (text: string) => (output.text += text) } as never
  openPage({ stderr, env: { ...process.env, PATH: path } }, url, platform)
  return output
}

unix.each(commands)('the program of %s gets the URL as it is', async (platform, [program, ...args]) => {
  const folder = install(program)
  const output = openWith(withSystem(folder), platform)
  expect(await readGiven(folder)).toEqual(args)
  expect(output.text).toBe('')
})
