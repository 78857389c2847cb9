import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { firstLine, startProcess } from '../support/process.ts'

/** A copy of the command from which what holds yargs was taken away. */
function copyWithoutYargs(): string {
  const folder = mkdtempSync(join(tmpdir(), 'greenhouse-without-yargs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync('dist', join(folder, 'dist'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const cli = join(folder, 'dist/cli')
  const holding = readdirSync(cli).filter((file) =>
    readFileSync(join(cli, file), 'utf8').includes('YARGS_DISABLE_WRAP'),
  )
  // And what V8 made of it, where the build kept that.
  expect(holding.filter((file) => file.endsWith('.cjs'))).toHaveLength(1)
  for (const file of holding) rmSync(join(cli, file))
  return join(folder, 'dist/greenhouse.js')
}

test('serve starts and answers without yargs, which only the other commands, help and mistakes load', async () => {
  const file = copyWithoutYargs()
  const flags = ['--port=0', '--log', 'json', '--scenario', 'slow:ms=1', '--no-trace', '--body-limit', '2MiB']
  const { child, output, ended } = startProcess(process.execPath, [file, 'serve', ...flags])
  const { apps_url } = JSON.parse(await firstLine(child, output, ended)) as { apps_url: string }
  const response = await fetch(`${apps_url}/apps`, { headers: { authorization: 'Bearer key_pro' } })
  expect([response.status, response.headers.get('x-greenhouse')]).toEqual([200, null])
  await response.arrayBuffer()
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stderr: '' })

  for (const words of [['serve', '--help'], ['serve', '--prot', '1'], ['routes']]) {
    const { code, stderr } = await startProcess(process.execPath, [file, ...words]).ended
    expect([code, stderr], words.join(' ')).toEqual([2, expect.stringContaining('Cannot find module')])
  }
})
