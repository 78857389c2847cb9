import { expect, onTestFinished, test } from 'vitest'
import { lacks } from '../support/lacks.ts'
import {
  firstLine,
  isAlive,
  startProcess,
  startServeProcess,
  withoutOurs,
} from '../support/process.ts'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { join, resolve } from 'node:path'
import { writeFolder } from '../support/folder.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

test.skipIf(lacks.signals).each(signals)('%s stops the server with exit code 0', async (signal) => {
  const { stop, child, ready } = await startServeProcess()
  expect(await stop(signal)).toMatchObject({ code: 0, signal: null, stderr: '' })
  expect(isAlive(child.pid!)).toBe(false)
  await expect(fetch(ready.plants_url)).rejects.toThrow()
})

test.skipIf(lacks.signals).each(['SIGINT', 'SIGTERM'] as const)(
  'npm start stops all its processes on %s',
  async (signal) => {
    // The build that comes before it would take dist/ away from the other tests.
    const words = ['start', '--ignore-scripts', '--', '--port', '0', '--log', 'json']
    const { child, output, ended } = startProcess('npm', words, { detached: true })
    const group = -child.pid!
    onTestFinished(() => void (isAlive(group) && process.kill(group, 'SIGKILL')))
    const { plants_url } = JSON.parse(await firstLine(child, output, ended))
    expect((await fetch(plants_url + '/plants')).status).toBe(401)
    // A terminal sends Ctrl-C to all processes of the group; SIGTERM reaches npm alone.
    process.kill(signal === 'SIGINT' ? group : child.pid!, signal)
    await ended
    await expect.poll(() => isAlive(group)).toBe(false)
    await expect(fetch(plants_url)).rejects.toThrow()
  },
)

const keepsItself = 'enableCompileCache' in module

function copyDist(): string {
  const folder = writeFolder({ 'package.json': readFileSync('package.json') })
  for (const part of ['dist/cjs', 'dist/greenhouse.cjs'])
    cpSync(part, join(folder, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction')
  return folder
}

const compiledIn = (folder: string) =>
  readdirSync(join(folder, 'dist/cjs')).filter((file) => file.endsWith('.compiled'))

test.skipIf(keepsItself || lacks.links)('V8 takes what the build compiled', () => {
  const folder = copyDist()
  expect(compiledIn(folder).some((file) => file.startsWith('main.cjs.'))).toBe(true)
  const script = `
    require('./dist/cjs/compiled.cjs').loadCompiled(undefined, (file, { cachedDataRejected }) =>
      console.error(require('node:path').basename(file), cachedDataRejected))
    process.argv.splice(1, Infinity, 'greenhouse', '--version')
    require('./dist/cjs/main.cjs').runOwnCommandLine()`
  const { stderr } = spawnSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' })
  expect(stderr).toContain('main.cjs false\n')
})

test.skipIf(lacks.links)('a file that V8 rejects is compiled as ever', () => {
  const folder = copyDist()
  for (const file of compiledIn(folder))
    writeFileSync(join(folder, 'dist/cjs', file), 'of another Node')
  const words = [join(folder, 'dist/greenhouse.cjs'), '--version']
  const options = { encoding: 'utf8', env: withoutOurs(process.env) } as const
  expect(execFileSync(process.execPath, words, options)).toMatch(/^\d+\.\d+\.\d+\n$/)
})
