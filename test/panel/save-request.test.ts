import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { replayCase } from 'greenhouse-mock/case'
import { loadCase, loadScenarios } from 'greenhouse-mock/node'
import { serve } from 'greenhouse-mock/server'
import { writeFolder } from '../support/folder.ts'
import { chooseItem, go, requestsOf, download } from './page.ts'
import { requestOf, fillWorld } from './world.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'
import type { Page } from 'playwright-core'

async function saveScenario(page: Page) {
  await chooseItem(page, 'Save the request', 'Save as scenario')
  const dialog = page.getByRole('dialog', { name: 'Save as scenario' })
  const shown = await dialog.locator('pre').textContent()
  const saved = await download(page, () => dialog.getByRole('button', { name: 'Download' }).click())
  expect(saved.text).toBe(shown)
  return saved
}

async function replay({ file, text }: { file: string; text: string }, request: Request) {
  const greenhouse = createGreenhouse({ scenarios: loadScenarios(writeFolder({ [file]: text })) })
  greenhouse.world().use(file.replace('.yaml', '') as never)
  return greenhouse.fetch(request)
}

test.each([
  [2, 'apps-list-429', '/v1/apps', 'GET'],
  [3, 'plants-create-400', '/plants', 'POST'],
  [7, 'apps-list-500', '/v1/apps', 'GET'],
])('request number %i saved as the scenario %s gives its reply again', async (id, name, path, method) => {
  const { page, world } = await openPanel(`#/traffic/${id}`, { before: fillWorld })
  const saved = await saveScenario(page)
  expect(saved.file).toBe(`${name}.yaml`)
  const reply = await replay(saved, requestOf(path, method))
  const recorded = world.journal.calls()[id - 1]!.response
  expect([reply.status, await reply.json()]).toEqual([recorded.status, JSON.parse(recorded.body!)])
  expect(reply.headers.get('retry-after')).toBe(recorded.headers['Retry-After'] ?? null)
})

/** What a scenario file would take for an option. */
const body = { text: 'Dear ${name}, $${x} and ${', '${a}': ['${a-b}'] }

test.each([
  [{ respond: [{ on: 'plants.list', status: 200, body }] }, 'plants-list-200', 'application/json'],
  ['proxy-error-page', 'plants-list-502', 'text/html'],
  ['truncated-json', 'plants-list-200', 'application/json'],
  ['wrong-content-type', 'plants-list-200', 'text/plain'],
  ['missing-content-type', 'plants-list-200', null],
])('a reply that %j changed is given again with its Content-Type', async (scenario, name, type) => {
  let first: Response
  const { page } = await openPanel('#/traffic/1', {
    before: async (greenhouse) => {
      greenhouse.world().use(scenario as never)
      first = await greenhouse.fetch(requestOf('/plants'))
    },
  })
  const saved = await saveScenario(page)
  expect(saved.file).toBe(`${name}.yaml`)
  const reply = await replay(saved, requestOf('/plants'))
  expect([reply.status, reply.headers.get('content-type')]).toEqual([first!.status, type])
  expect(await reply.text()).toBe(await first!.text())
})

test('a saved reply that broke off is replayed up to there, and one that never came never comes', async () => {
  const { page, send } = await openPanel('#/traffic')
  const get = (scenario: string, init: RequestInit = {}) =>
    send('/plants', { ...init, headers: { 'x-greenhouse-scenario': scenario } }).then((reply) => reply.text())
  await expect(get('truncated-body')).rejects.toThrow('terminated')
  await expect(get('slow:ms=60000', { signal: AbortSignal.timeout(100) })).rejects.toThrow('timeout')
  const save = async (id: number) => {
    await go(page, `#/traffic/${id}`)
    const request = page.getByRole('complementary', { name: `Request ${id}` })
    await request.getByText('ended early').first().waitFor()
    return saveScenario(page)
  }
  const files = [await save(1), await save(2)]
  for (const row of await requestsOf(page).all()) expect(await row.textContent()).toContain('ended early')
  expect(await page.locator('.traffic-row .badge-good').count()).toBe(0)
  expect(files[1]!.text).toContain('kind: timeout')
  const folder = writeFolder(Object.fromEntries(files.map(({ file, text }) => [file, text])))
  const again = await serve(createGreenhouse({ scenarios: loadScenarios(folder), use: ['plants-list-200' as never] }))
  onTestFinished(() => again.close())
  const reply = await fetch(`${again.url}/plants`)
  let got = ''
  const read = async () => {
    for await (const part of reply.body!) got += Buffer.from(part).toString()
  }
  await expect(read()).rejects.toThrow('terminated')
  expect([reply.status, reply.headers.get('content-type'), got.length]).toEqual([200, 'application/json', 20])
})

test('a request saved as a case is replayed with all that came before it', async () => {
  const { page } = await openPanel('#/traffic/3', { before: fillWorld })
  const { file, text } = await download(page, () => chooseItem(page, 'Save the request', 'Save as a case'))
  expect(file).toBe('default.case.json')
  const replayed = await replayCase(loadCase(join(writeFolder({ [file]: text }), file)))
  expect([replayed.requests, replayed.differences]).toEqual([3, []])
  replayed.greenhouse.close()
})
