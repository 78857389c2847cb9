import { expect, test } from 'vitest'
import { findFreePort, start, untilServed } from '../support/cli.ts'

test('a reader that has gone away is no crash', async () => {
  for (const args of [['assumptions'], ['routes'], ['scenario', 'list'], ['--help']]) {
    const { child, ended } = start(args)
    child.stdout!.destroy()
    expect(await ended, args.join(' ')).toMatchObject({ code: 0, stderr: '' })
  }
})

test('a server whose output nobody reads goes on until it is stopped', async () => {
  const port = await findFreePort()
  const { child, ended } = start(['serve', '--port', String(port)])
  child.stdout!.destroy()
  await untilServed(port)
  await untilServed(port)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
})
