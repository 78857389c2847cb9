import { expect, test } from 'vitest'
import { soaks } from '../support/soak.ts'
import { verifyGreenhouse } from './against.ts'

const only = (id: string) => id === 'webhooks.timeout'

for (const timeout of soaks ? (['15s', '1s', '5s', '30s'] as const) : (['1s'] as const))
  test(`a receiver that does not answer shows that deliveries wait ${timeout}`, async () => {
    const { report } = await verifyGreenhouse({ 'webhooks.timeout': timeout }, { only, slow: true })
    expect(report.probes).toEqual([
      expect.objectContaining({ id: 'webhooks.timeout', outcome: 'value', value: timeout }),
    ])
  })
