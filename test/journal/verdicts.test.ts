import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { testControl } from '../support/control.ts'

testApi('the journal says why each effect acted on a request or did not', async ({ world, call }) => {
  world.use('flaky', { failures: 1, on: 'plants.list' })
  world.use('key-expires-mid-session')
  await call('GET', '/plants')
  await call('GET', '/plants')
  await call('GET', '/v1/apps')
  const entries = world.journal.calls()
  expect(entries.map(({ scenarios }) => scenarios)).toEqual([['flaky'], [], []])
  expect(
    entries.map(({ verdicts }) =>
      verdicts!.map(({ scenario, effect, fired, why }) => `${scenario} ${effect} ${fired}: ${why}`),
    ),
  ).toEqual([
    [
      'flaky respond.0 true: matching request 1',
      'key-expires-mid-session keys.0 false: matching request 1, but there was nothing to change',
    ],
    [
      'flaky respond.0 false: it acts once, and already did',
      'key-expires-mid-session keys.0 false: matching request 2, but there was nothing to change',
    ],
    [
      'flaky respond.0 false: it acts on other operations',
      'key-expires-mid-session keys.0 false: matching request 3, but there was nothing to change',
    ],
  ])
  world.clear()
  await call('GET', '/plants')
  expect(world.journal.calls().at(-1)).not.toHaveProperty('verdicts')
})

testControl('the control API shows the verdicts, in the HAR too', async ({ greenhouse, control, call }) => {
  greenhouse.world().use('every-third-fails')
  await call('/plants')
  const { body } = await control('GET', '/worlds/default/journal')
  const har = (await control('GET', '/worlds/default/journal.har')).body
  expect(har.log.entries[0]._greenhouse.verdicts).toEqual(body.data[0].verdicts)
  expect(body.data[0].verdicts).toEqual([
    { scenario: 'every-third-fails', effect: 'respond.0', fired: false, why: expect.stringContaining('every 3') },
  ])
})
