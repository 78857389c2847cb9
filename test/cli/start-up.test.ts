import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { withoutOurs } from '../support/process.ts'

/** A copy of the command from which what holds yargs was taken away. */
function copyWithoutYargs(): string {
  const cli = join(writeFolder({}), 'dist/cli')
  cpSync('dist/cli', cli, { recursive: true })
  const holding = readdirSync(cli).filter((file) =>
    readFileSync(join(cli, file), 'utf8').includes('YARGS_DISABLE_WRAP'),
  )
  // And what V8 made of it, where the build kept that.
  expect(holding.filter((file) => file.endsWith('.cjs'))).toHaveLength(1)
  for (const file of holding) rmSync(join(cli, file))
  return join(cli, 'main.cjs')
}

test('serve starts and answers without yargs; only other commands, help and mistakes load it', async () => {
  const file = copyWithoutYargs()
  const flags = ['--scenario', 'slow:ms=1', '--no-trace', '--body-limit', '2MiB']
  const { ready, stop } = await startServe(flags, { file })
  const response = await fetch(`${ready.apps_url}/apps`, { headers: { authorization: 'Bearer key_pro' } })
  expect([response.status, response.headers.get('x-greenhouse')]).toEqual([200, null])
  await response.arrayBuffer()
  expect(await stop()).toMatchObject({ code: 0, stderr: '' })

  for (const words of [['serve', '--help'], ['serve', '--prot', '1'], ['routes']]) {
    const { code, stderr } = await run(words, { file })
    expect([code, stderr], words.join(' ')).toEqual([2, expect.stringContaining('Cannot find module')])
  }
})

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
