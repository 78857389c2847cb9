import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

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
