import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { withoutOurs } from '../support/served.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const keepsItself = 'enableCompileCache' in module

function copyDist(): string {
  const folder = mkdtempSync(join(tmpdir(), 'greenhouse-compiled-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const part of ['cli', 'greenhouse.cjs'])
    cpSync(join(root, 'dist', part), join(folder, 'dist', part), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  return folder
}

const compiledIn = (folder: string) =>
  readdirSync(join(folder, 'dist/cli')).filter((file) => file.endsWith('.compiled'))

const ofNpmStart = ['--max-semi-space-size=32', '--min-semi-space-size=32']

test.skipIf(keepsItself).each([[[]], [ofNpmStart]])(
  'V8 takes what the build compiled of the command, with %j',
  (flags) => {
    const folder = copyDist()
    expect(compiledIn(folder).some((file) => file.startsWith('main.cjs.'))).toBe(true)
    const script = `
    require('./dist/cli/compiled.cjs').loadCompiled(undefined, (file, { cachedDataRejected }) =>
      console.error(require('node:path').basename(file), cachedDataRejected))
    process.argv.splice(1, Infinity, 'greenhouse', '--version')
    require('./dist/cli/main.cjs').runOwnCommandLine()`
    const { stderr } = spawnSync(process.execPath, [...flags, '-e', script], { cwd: folder, encoding: 'utf8' })
    expect(stderr).toContain('main.cjs false\n')
  },
)

test('a file that V8 refuses is compiled as ever', () => {
  const folder = copyDist()
  for (const file of compiledIn(folder)) writeFileSync(join(folder, 'dist/cli', file), 'of another Node')
  const version = execFileSync(process.execPath, [join(folder, 'dist/greenhouse.cjs'), '--version'], {
    encoding: 'utf8',
    env: withoutOurs(process.env),
  })
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/)
})
