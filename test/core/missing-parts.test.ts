import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { createHandlers } from 'greenhouse-mock/msw'
import { apps, createGreenhouse, type CoreOptions, fixtures, ownFixtures } from 'greenhouse-mock/parts'
import { journal, judge, plants, scenarios, webhookTools } from 'greenhouse-mock/parts'
import { defineCollection } from 'greenhouse-mock/config'
import { mountPanel } from 'greenhouse-mock/panel'
import { serve } from 'greenhouse-mock/server'

const lean = () => createGreenhouse({ areas: [plants], fixtures })

const noApps = 'this Greenhouse does not have the area "apps"'

test('a collection of an area that is not there says which area that is', () => {
  const world = lean().world()
  expect(() => world.records.apps).toThrow(`Failed to read world.records.apps: ${noApps}.`)
  expect(Object.keys(world.records)).toEqual(['accounts', 'keys', 'plants', 'plans'])
  expect(() => world.reset({ records: { apps: [] } })).toThrow(
    'the option "records.apps" takes nothing, because this Greenhouse does not have the area "apps"',
  )
  expect(() => createGreenhouse({ areas: [plants], records: { messages: [] } })).toThrow(noApps)
})

test('a path of a missing area says which area that is, in the shape of the control API', async () => {
  const ask = async (areas: CoreOptions['areas'], path: string) => {
    const response = await createGreenhouse({ areas, fixtures }).fetch(new Request(`http://greenhouse.test${path}`))
    return { status: response.status, body: await response.json() }
  }
  expect(await ask([plants], '/v1/apps')).toEqual({
    status: 404,
    body: {
      error: { code: 'missing_area', message: expect.stringContaining(`Failed to answer /v1/apps: ${noApps}.`) },
    },
  })
  expect(await ask([apps], '/plants')).toMatchObject({
    status: 404,
    body: { error: { code: 'missing_area', message: expect.stringContaining('the area "plants"') } },
  })
  expect(await ask([apps], '/v1/apps')).toMatchObject({ status: 401 })
})

test('an assumption, a journal operation or a base URL of a missing area names the area', () => {
  const greenhouse = createGreenhouse({ areas: [plants], fixtures, journal: journal() })
  const world = greenhouse.world()
  expect(() => world.assume('apps.create.status', '200')).toThrow('does not have the area "apps".')
  expect(() => world.journal.calls({ operation: 'apps.list' })).toThrow('does not have the area "apps".')
  expect(() => createHandlers(greenhouse, { apps: 'https://apps.test/v1' })).toThrow(noApps)
  expect(createHandlers(greenhouse)).toHaveLength(1)
})

test('scenarios that were left out say where they come from', async () => {
  const greenhouse = lean()
  expect(() => greenhouse.world().use('slow')).toThrow("Import { scenarios } from 'greenhouse-mock/parts'")
  expect(() => greenhouse.world().clear('slow')).toThrow("Import { scenarios } from 'greenhouse-mock/parts'")
  expect(greenhouse.scenarios()).toEqual([])
  const headers = { authorization: 'Bearer key_pro', 'x-greenhouse-scenario': 'slow' }
  const response = await greenhouse.fetch(new Request('http://greenhouse.test/plants', { headers }))
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { code: 'unknown_scenario' } })
})

test('a journal that was left out says so when it is read, and requests are answered', async () => {
  const greenhouse = lean()
  const { journal: none } = greenhouse.world()
  expect(() => none.calls()).toThrow("Import { journal } from 'greenhouse-mock/parts'")
  expect(() => none.size).toThrow('Failed to read the journal')
  expect(() => greenhouse.subscribe(() => undefined)).toThrow('Failed to read the journal')
  const headers = { authorization: 'Bearer key_pro' }
  expect((await greenhouse.fetch(new Request('http://greenhouse.test/plants', { headers }))).status).toBe(200)
  greenhouse.world().reset()
  expect(greenhouse.deleteWorld('default')).toBe(true)
})

test('without a judge nothing reads as sound', () => {
  const greenhouse = createGreenhouse({ areas: [plants], fixtures, journal: journal() })
  expect(greenhouse.world().journal.calls()).toEqual([])
  expect(() => greenhouse.world().journal.violations()).toThrow("Import { judge } from 'greenhouse-mock/parts'")
  expect(() => greenhouse.world().journal.calls({ violations: false })).toThrow('greenhouse-mock/parts')
  expect(() => createGreenhouse({ areas: [plants], strict: true })).toThrow('greenhouse-mock/parts')
})

test('without cases, a journal is cleared and fixtures are read again', async () => {
  const greenhouse = createGreenhouse({ areas: [plants], fixtures, journal: journal() })
  await greenhouse.fetch(new Request('http://greenhouse.test/plants'))
  greenhouse.reload({ fixtures: {} })
  greenhouse.world().journal.clear()
  expect(greenhouse.world().journal.size).toBe(0)
})

test('webhook tools that were left out say what is missing: the area, or they', async () => {
  expect(() => lean().world().grade('wh')).toThrow(noApps)
  const greenhouse = createGreenhouse({ areas: [apps], fixtures })
  expect(() => greenhouse.world().grade('wh')).toThrow("Import { webhookTools } from 'greenhouse-mock/parts'")
  await expect(greenhouse.world().trigger('app.created')).rejects.toThrow('Failed to call world.trigger()')
})

test('a global that is not there is named at once', () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('btoa', undefined)
  expect(lean).toThrow('Failed to start Greenhouse: there is no btoa here.')
})

test('serve and mountPanel refuse a Greenhouse that lacks a part, and serve names the part', async () => {
  const parts = { fixtures, scenarios, journal: journal(), judge, webhookTools }
  const server = await serve(createGreenhouse({ areas: [plants, apps], ...parts }))
  expect((await fetch(`${server.url}/__greenhouse/worlds/default/journal`)).status).toBe(200)
  await server.close()
  await expect(serve(lean())).rejects.toThrow('created without apps, scenarios, journal, judge, webhook-tools.')
  await expect(serve(createGreenhouse({ areas: [apps], ...parts }))).rejects.toThrow('created without plants.')
  for (const [part, name] of [
    ['scenarios', 'scenarios'],
    ['journal', 'journal'],
    ['judge', 'judge'],
    ['webhookTools', 'webhook-tools'],
  ]) {
    const greenhouse = createGreenhouse({ areas: [plants, apps], ...parts, [part!]: undefined })
    const message = `this one was created without ${name}. Import createGreenhouse from`
    await expect(serve(greenhouse)).rejects.toThrow(message)
    expect(() => mountPanel(greenhouse)).toThrow(`Failed to call mountPanel(): it takes a Greenhouse with every part`)
  }
})

test('its worlds start with records of a collection of yours that belong to nobody', () => {
  const schema = z.object({ id: z.string(), account: z.optional(z.string()) })
  const notes = defineCollection({ name: 'notes', schema })
  const start = (record: object) =>
    createGreenhouse({ areas: [plants], collections: [notes], records: { notes: [record] } as never }).world()
  const { records } = start({ id: 'a' })
  records['notes' as 'plants'].create({ id: 'b' } as never)
  expect(records['notes' as 'plants'].all()).toEqual([{ id: 'a' }, { id: 'b' }])
  expect(records['notes' as 'plants'].delete('a' as never)).toBe(true)
  expect(records['notes' as 'plants'].all()).toEqual([{ id: 'b' }])
  expect(() => start({ id: 'a', account: 'ann' })).toThrow('there is no account "ann"')
})

const fern = { id: 1, name: 'Fern', account: 'ann' }

test.each<readonly [title: string, options: unknown, message: string]>([
  ['no areas', {}, 'the option "areas" takes at least one area'],
  ['areas that are none', { areas: ['plants'] }, 'the option "areas" takes a list of areas'],
  ['fixtures without what reads them', { areas: [plants], fixtures: { plants: [] } }, 'greenhouse-mock/parts'],
  ['fixtures and records', { areas: [plants], fixtures, records: {} }, 'give it "fixtures" or "records", not both'],
  ['an unknown option', { areas: [plants], fixture: fixtures }, 'Did you mean "fixtures"?'],
  ['a record of nobody', { areas: [plants], records: { plants: [fern] } }, 'there is no account "ann"'],
  ['a record that is none', { areas: [plants], records: { accounts: [{ id: 1 }] } }, 'a record of "accounts"'],
  ['an unknown collection', { areas: [plants], records: { plnts: [] } }, 'Did you mean "plants"?'],
  ['fixtures of no area', { areas: [plants], fixtures: ownFixtures({ apps: [] }) }, 'there is no such collection'],
])('it refuses %s', (_, options, message) => {
  let told = ''
  try {
    createGreenhouse(options as CoreOptions)
  } catch (error) {
    told = String(error) + JSON.stringify((error as { problems?: unknown }).problems ?? '')
  }
  expect(told).toContain(message)
})
