import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nobody, run, startServe } from '../support/cli.ts'
import { command, startCommand, startProcess } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'

const node = process.execPath
const unix = test.skipIf(process.platform === 'win32')

unix.each([
  [{}, [], '127.0.0.1', '127.0.0.1'],
  [{ NO_PROXY: 'a.test b.test' }, ['--host', '0.0.0.0'], '127.0.0.1', 'a.test,b.test,127.0.0.1'],
  [{ no_proxy: 'b.test,127.0.0.1' }, [], '127.0.0.1', 'b.test,127.0.0.1'],
  [{ NO_PROXY: '*' }, ['--host', '::'], '[::1]', '*'],
])('with %j, run %j gives its command the host %s, and no proxy for %s', async (given, words, host, hosts) => {
  const names = ['PLANTS_BASE_URL', 'APPS_BASE_URL', 'GREENHOUSE_URL', 'NO_PROXY', 'no_proxy']
  const script = `JSON.stringify(${JSON.stringify(names)}.map((name) => process.env[name]))`
  const env = { ...process.env, NO_PROXY: '', no_proxy: '', ...given }
  const { stdout } = await run(['run', ...words, '--token', 's3cret', '--', node, '-p', script], { env })
  const [plants, apps, own, ...proxies] = JSON.parse(stdout) as string[]
  expect([plants, apps, own].map((url) => new URL(url!).host.replace(/:\d+$/, ''))).toEqual([host, host, host])
  expect(proxies).toEqual([hosts, hosts])
})

test('status reaches this machine without the proxy of the environment', async () => {
  const { ready, stop } = await startServe()
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: nobody, http_proxy: nobody, NO_PROXY: '' }
  const { code, stdout } = await startCommand(['status', '--server', ready.plants_url], { env }).ended
  expect([code, stdout]).toEqual([0, expect.stringContaining(ready.plants_url)])
  await stop()
})

test('Node 18 gets a sentence', async () => {
  const folder = writeFolder({ 'old.cjs': `Object.defineProperty(process.versions, 'node', { value: '18.20.8' })` })
  const { ended } = startProcess(node, ['-r', join(folder, 'old.cjs'), command, 'status'])
  const stderr = 'greenhouse-mock needs Node 20.19 or later. This is Node 18.20.8.\n'
  expect(await ended).toMatchObject({ code: 2, stdout: '', stderr })
})

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
  [['plain', 'x^y&z', 'say "hi"', 'c:\\dir\\'], 0, String.raw`"plain ^"x^^y^&z^" ^"say^ \^"hi\^"^" ^"c:\dir\\^""`],
  [['node_modules/.bin/shim', '%a'], 0, '"node_modules/.bin/shim ^^^"^^^%a^^^""'],
  [['missing'], 127, '"missing"'],
  [['plain', 'forever'], 137, '"plain ^"forever^""'],
])('on Windows, the words %j are one each, and a command ends with all that it started', async (words, code, text) => {
  const folder = writeFolder(programs)
  for (const name of ['cmd.exe', 'taskkill']) chmodSync(join(folder, 'bin', name), 0o755)
  const env = { ...process.env, PATH: join(folder, 'bin'), PATHEXT: '.cmd', comspec: 'cmd.exe' }
  const all = ['-r', join(folder, 'windows.cjs'), command, 'run', '--', ...words]
  const { child, ended } = startProcess(node, all, { env, cwd: folder })
  if (words.includes('forever')) child.stdout!.once('data', () => child.kill('SIGTERM'))
  expect(await ended).toMatchObject({ code, stdout: `${text}\n` })
})
