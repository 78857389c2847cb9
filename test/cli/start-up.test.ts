import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { writeFolder } from '../support/folder.ts'
import { withoutOurs } from '../support/process.ts'

const keepsItself = 'enableCompileCache' in module

function copyDist(): string {
  const folder = writeFolder({ 'package.json': readFileSync('package.json') })
  for (const part of ['dist/cli', 'dist/greenhouse.cjs']) cpSync(part, join(folder, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction')
  return folder
}

const compiledIn = (folder: string) =>
  readdirSync(join(folder, 'dist/cli')).filter((file) => file.endsWith('.compiled'))

const ofNpmStart = ['--max-semi-space-size=32', '--min-semi-space-size=32']

test.skipIf(keepsItself).each([[[]], [ofNpmStart]])('V8 takes what the build compiled, with %j', (flags) => {
  const folder = copyDist()
  expect(compiledIn(folder).some((file) => file.startsWith('main.cjs.'))).toBe(true)
  const script = `
    require('./dist/cli/compiled.cjs').loadCompiled(undefined, (file, { cachedDataRejected }) =>
      console.error(require('node:path').basename(file), cachedDataRejected))
    process.argv.splice(1, Infinity, 'greenhouse', '--version')
    require('./dist/cli/main.cjs').runOwnCommandLine()`
  const { stderr } = spawnSync(process.execPath, [...flags, '-e', script], { cwd: folder, encoding: 'utf8' })
  expect(stderr).toContain('main.cjs false\n')
})

test('a file that V8 rejects is compiled as ever', () => {
  const folder = copyDist()
  for (const file of compiledIn(folder)) writeFileSync(join(folder, 'dist/cli', file), 'of another Node')
  const words = [join(folder, 'dist/greenhouse.cjs'), '--version']
  const options = { encoding: 'utf8', env: withoutOurs(process.env) } as const
  expect(execFileSync(process.execPath, words, options)).toMatch(/^\d+\.\d+\.\d+\n$/)
})
