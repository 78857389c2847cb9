import express from 'express'
import { expect, test } from 'vitest'
import { verifyTargets } from './against.ts'
import { serveHttp } from './servers.ts'

/** A plant store in ten lines. */
function createImitation() {
  const plants = new Map<number, { id: number; name: string; tag?: string }>()
  const app = express().disable('x-powered-by')
  app.use(express.json())
  app.use((request, response, next) =>
    request.get('authorization') === 'Bearer key_pro' ? next() : response.status(401).json({ message: 'No.' }),
  )
  app.get('/plants', (_, response) => response.json([...plants.values()]))
  app.post('/plants', (request, response) => {
    if (!request.body?.name) return response.status(400).json({ error: 400, message: 'No name.' })
    plants.set(request.body.id, request.body)
    return response.status(201).json(request.body)
  })
  app.delete('/plants/:id', (request, response) => response.json({ deleted: plants.delete(Number(request.params.id)) }))
  return app
}

test('every difference of an Express imitation of the plant store is found, and nothing else', async () => {
  const plants = await serveHttp(createImitation())
  const report = await verifyTargets({ plants }, { otherKey: undefined, limitedKey: undefined, expiredKey: undefined })
  const broken = report.rules.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id)
  expect(broken.sort()).toEqual([
    'plants.create.int64',
    'plants.create.refuses.id-fraction',
    'plants.create.refuses.id-range',
    'plants.create.refuses.id-text',
    'plants.create.refuses.name-type',
    'plants.create.refuses.no-id',
    'plants.create.refuses.tag-type',
    'plants.create.status',
    'plants.delete.no-body',
    'plants.errors.body',
    'plants.json',
  ])
  const gaps = Object.fromEntries(
    report.probes.map((gap) => [gap.id, gap.outcome === 'value' ? gap.value : gap.outcome]),
  )
  expect(gaps).toMatchObject({
    // It has no limit.
    'plants.list.limit-name': 'unknown',
    'plants.list.limit-zero': 'unseen',
    'plants.list.limit-default': 'all',
    'plants.list.order': 'created',
    'plants.unknown-query': 'ignore',
    'plants.create.duplicate-id': 'replace',
    'plants.create.unknown-fields': 'keep',
    'plants.create.id-range': 'any',
    // It accepts any non-empty name.
    'plants.name.length': 'unknown',
    'plants.body.includes-id': 'yes',
    'plants.delete.status': '200',
    // It answers 200 and says that nothing was deleted.
    'plants.delete.unknown': 'unknown',
    'plants.delete.invalid-id': 'unknown',
    'plants.unknown-method': '404',
    'plants.body.too-large': '413',
    // It reads gzip.
    'plants.body.encoding': 'unknown',
    'plants.body.type': '400',
    'plants.rate-limits': 'off',
  })
  // A plant that it stores without an id. Those with an id of more than 64 bits, or a text as their id, are deleted.
  expect(report.left).toEqual([expect.stringMatching(/^the plant "greenhouse-verify-/)])
})
