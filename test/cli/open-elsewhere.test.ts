import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openPage, toOpenCommand } from '../../src/cli/open.ts'
import { writeFolder } from '../support/folder.ts'
import { expectOutput, takeOutput } from '../support/output.ts'

const url = 'http://127.0.0.1:4010/__greenhouse/?a=1&b=%PATH%#/traffic?status=4xx&search="a b"'

const commands = [
  ['darwin', ['open', url]],
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler', url]],
  ['linux', ['xdg-open', url]],
  ['freebsd', ['xdg-open', url]],
] as const

test.each(commands)('on %s a page is opened by its own program, without a shell', (platform, command) => {
  expect(toOpenCommand(url, platform)).toEqual(command)
})

/** A folder with a program in it that writes down what it was given. */
function install(program: string): string {
  const folder = writeFolder({
    [program]: `#!/bin/sh\nprintf '%s\\n' "$@" > "$(dirname "$0")/given.part"\nmv "$(dirname "$0")/given.part" "$(dirname "$0")/given"\n`,
  })
  chmodSync(join(folder, program), 0o755)
  return folder
}

test.skipIf(process.platform === 'win32').each(commands)(
  'the program of %s gets the URL as it is',
  async (platform, [program, ...args]) => {
    const folder = install(program)
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
    openPage(url, platform)
    vi.unstubAllEnvs()
    await expect.poll(() => existsSync(join(folder, 'given'))).toBe(true)
    expect(readFileSync(join(folder, 'given'), 'utf8').trimEnd().split('\n')).toEqual(args)
    expectOutput()
  },
)

test.each(commands)('where %s has no such program, the URL is told, and nothing ends', async (platform, [program]) => {
  vi.stubEnv('PATH', writeFolder({}))
  openPage(url, platform)
  vi.unstubAllEnvs()
  const printed: string[] = []
  await expect.poll(() => printed.push(...takeOutput())).toBeGreaterThan(0)
  expect(printed).toEqual([
    `stderr: Failed to open the panel: ${program} was not found on the PATH. Open ${url} yourself.\n`,
  ])
})
