import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

for (const [every, ordinal] of [
  [2, '2nd'],
  [3, '3rd'],
  [4, '4th'],
  [11, '11th'],
  [13, '13th'],
  [21, '21st'],
  [112, '112th'],
] as const)
  test(`every ${every}: a verdict says "every ${ordinal} request"`, async () => {
    const greenhouse = createGreenhouse()
    const world = greenhouse.world()
    world.use('every-third-fails', { every })
    await greenhouse.fetch(new Request('http://any/plants'))
    expect(world.journal.calls()[0]!.verdicts).toMatchObject([
      { fired: false, why: `it acts on every ${ordinal} request, and this is number 1` },
    ])
  })
