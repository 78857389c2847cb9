import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'

test('log says on stderr that there were more requests than the journal has', async () => {
  const { ready, call, stop } = await startServe()
  for (let sent = 0; sent < 1_003; sent++) await (await call('/plants?limit=1')).text()
  const log = (...words: string[]) => run(['log', ...words, '--server', ready.plants_url])
  const all = await log('--limit', '5000')
  expect([all.code, all.stdout.trim().split('\n').length]).toEqual([0, 1_000])
  expect(all.stderr).toBe(
    'The journal of the world "default" dropped 3 older requests to make room, so fewer than --limit 5000 are shown.\n',
  )
  expect((await log('--limit', '1000')).stderr).toBe('')
  expect((await log('--limit', '5000', '--all-worlds')).stderr).toBe(all.stderr)
  await stop()
})
