import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeFolder } from '../support/folder.ts'
import { lacks } from '../support/lacks.ts'
import { command, startProcess } from '../support/process.ts'

const node = process.execPath
const unix = test.skipIf(lacks.sh)

/** Programs of Windows: `cmd.exe` prints its arguments, and may run until it is killed. */
const programs = {
  'windows.cjs': `Object.defineProperty(process, 'platform', { value: 'win32' })`,
  'bin/cmd.exe': `#!${node}\nconst [text] = process.argv.slice(-1)\nconsole.log(text)
if (text.includes('missing')) process.exitCode = 1\nif (text.includes('forever')) setInterval(() => {}, 1000)`,
  'bin/taskkill': `#!${node}\nconst [, , ...words] = process.argv
if (words.slice(0, 3).join(' ') === '/T /F /PID') process.kill(Number(words[3]), 'SIGKILL')`,
  'bin/plain.cmd': '',
  'node_modules/.bin/shim.cmd': '',
}

unix.each([
  [['plain', '', 'a b', '%PATH%'], 0, String.raw`"plain ^"^" ^"a^ b^" ^"^%PATH^%^""`],
  [
    ['plain', 'x^y&z', 'say "hi"', 'c:\\dir\\'],
    0,
    String.raw`"plain ^"x^^y^&z^" ^"say^ \^"hi\^"^" ^"c:\dir\\^""`,
  ],
  [['node_modules/.bin/shim', '%a'], 0, '"node_modules/.bin/shim ^^^"^^^%a^^^""'],
  [['missing'], 127, '"missing"'],
  [['plain', 'forever'], 137, '"plain ^"forever^""'],
])(
  'on Windows, the words %j are one each, and a command ends with all that it started',
  async (words, code, text) => {
    const folder = writeFolder(programs)
    for (const name of ['cmd.exe', 'taskkill']) chmodSync(join(folder, 'bin', name), 0o755)
    const env = { ...process.env, PATH: join(folder, 'bin'), PATHEXT: '.cmd', comspec: 'cmd.exe' }
    const all = ['-r', join(folder, 'windows.cjs'), command, 'run', '--', ...words]
    const { child, ended } = startProcess(node, all, { env, cwd: folder })
    if (words.includes('forever')) child.stdout!.once('data', () => child.kill('SIGTERM'))
    expect(await ended).toMatchObject({ code, stdout: `${text}\n` })
  },
)
