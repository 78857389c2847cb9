import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPage, toOpenCommand } from '../../src/cli/process/open.ts'
import { writeFolder } from '../support/folder.ts'

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

/** A terminal that records opened pages and output. */
function toTerminal(path: string) {
  const output = { text: '' }
  const stderr = { write: (text: string) => (output.text += text) } as never
  return { output, terminal: { stderr, env: { ...process.env, PATH: path } } }
}

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
    const { output, terminal } = toTerminal(`${folder}:${process.env['PATH']}`)
    openPage(terminal, url, platform)
    await expect.poll(() => existsSync(join(folder, 'given'))).toBe(true)
    expect(readFileSync(join(folder, 'given'), 'utf8').trimEnd().split('\n')).toEqual(args)
    expect(output.text).toBe('')
  },
)

test.each(commands)(
  'where %s has no such program, the URL is printed, and nothing ends',
  async (platform, [program]) => {
    const { output, terminal } = toTerminal(writeFolder({}))
    openPage(terminal, url, platform)
    await expect
      .poll(() => output.text)
      .toBe(`Failed to open the panel: ${program} was not found on the PATH. Open ${url} yourself.\n`)
  },
)
