import { expect, test } from 'vitest'
import { run } from '../support/cli.ts'
import { startCommand, startQuietServe } from '../support/process.ts'

test('a reader that has gone away is no crash', async () => {
  for (const args of [['assumptions'], ['routes'], ['scenario', 'list'], ['--help']])
    expect(await run(args, { fails: { stdout: 'EPIPE' } }), args.join(' ')).toMatchObject({ code: 0, stderr: '' })
  for (const args of [['assumptions'], ['--help']]) {
    const { child, ended } = startCommand(args)
    child.stdout!.destroy()
    expect(await ended, args.join(' ')).toMatchObject({ code: 0, stderr: '' })
  }
})

test('a server whose output nobody reads goes on until it is stopped', async () => {
  const { child, ended, url } = await startQuietServe()
  child.stdout!.destroy()
  for (let round = 0; round < 2; round++) expect((await fetch(`${url}/plants`)).status).toBe(401)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
})
