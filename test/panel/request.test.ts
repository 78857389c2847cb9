import { join } from 'node:path'
import { replayCase } from 'greenhouse-mock/parts'
import { loadCase } from 'greenhouse-mock/node'
import { expect } from 'vitest'
import { chooseItem, click, download, findAction, copyAs, openSent, go, undo } from './page.ts'
import { writeFolder } from '../support/folder.ts'
import { fillWorld } from './world.ts'
import { openPanel, panelTest as test } from '../support/panel.ts'

test('an open request says in one sentence why the reply is what it is, with links', async () => {
  const { page } = await openPanel('#/traffic', { before: fillWorld })
  const row = page.locator('.virtual-row', { hasText: 'limt=3' })
  await row.waitFor()
  const heads = await page.locator('.traffic-names span').allTextContents()
  const cells = await row.locator('.traffic-row > *').allTextContents()
  const under = (head: string) => cells[heads.indexOf(head)]
  expect([under('Slips'), under('Changed by')]).toEqual([expect.stringMatching(/1 slips$/), 'rate-limited-plan'])

  await row.click()
  const why = page.getByLabel('Why this reply')
  await why.getByText('minute quota of plan free spent').waitFor()
  const text = await why.innerText()
  expect(text).toContain('by the scenario rate-limited-plan')
  expect(text).toContain('rate-limited-plan by its effect quota.0')
  expect(text).not.toContain('limt')
  await why.getByRole('link', { name: 'Quota of the plan' }).waitFor()
  expect(await page.getByRole('region', { name: 'Slips' }).innerText()).toContain(
    '"limt" is not a query parameter of this operation. Did you mean "limit"?',
  )
  await page.getByRole('tab', { name: 'Decisions' }).click()
  await page.getByRole('link', { name: 'rate-limit.retry-after' }).waitFor()
  const decisions = page.getByRole('table', { name: 'Decisions' })
  expect(await decisions.innerText()).toMatch(/yes\s+rate-limited-plan\s+quota\.0/)

  // A body is a tree with integers of 64 bits exact, or raw.
  await go(page, '#/traffic/3?face=request')
  const face = page.getByRole('tabpanel')
  await face.getByText('9007199254740993', { exact: true }).waitFor()
  await click(face, 'Raw')
  expect(await face.locator('pre').innerText()).toBe('{"id":9007199254740993,"name":"Ficus"}')

  await go(page, '#/traffic/6')
  await why.getByText('There is no path /v1/appz. Did you mean GET, POST /v1/apps?').first().waitFor()
  expect(await why.innerText()).toMatch(/Similar\s+GET \/v1\/apps at another path/)
  await why.getByRole('link', { name: 'GET /v1/apps' }).click()
  await page.getByRole('dialog', { name: 'Compose a request' }).getByLabel('About apps.list').waitFor()
})

test('a request opens and closes by keys, and gives the focus back', async () => {
  const { page } = await openPanel('#/traffic', { before: fillWorld })
  await page.locator('.virtual-row').first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Request 6' }).waitFor()
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Request 7' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('complementary').count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('listbox')
})

test('a request shows as it comes, and bodies that the journal cut as cut, in a copy too', async () => {
  const { page, send } = await openPanel('#/traffic/1?face=request', {
    before: (made) => {
      for (let id = 1; id <= 400; id++)
        made.world().records.plants.create({ id: 50_000 + id, name: 'Fern '.repeat(40), account: 'acct_pro' })
    },
  })
  // The request is yet to come.
  const detail = page.getByRole('complementary', { name: 'Request 1' })
  const tryAgain = detail.getByRole('button', { name: 'Try again' })
  await tryAgain.waitFor()
  await send('/plants', { method: 'POST', body: JSON.stringify({ id: 7, name: 'x'.repeat(70_000) }) })
  const note = page.getByText('The body was longer: the journal keeps its first 64 KiB')
  await note.waitFor()
  await tryAgain.waitFor({ state: 'detached' })
  await detail.locator('.detail-facts').getByText('key_pro').waitFor()
  expect(await copyAs(page, 'curl', 'The journal kept only the beginning of the body')).toMatch(/^curl /)
  await page.getByRole('tab', { name: 'Reply' }).click()
  await note.waitFor({ state: 'detached' })
  await send('/plants?limit=400')
  await go(page, '#/traffic/2')
  await note.waitFor()
})

test('the form for scenarios answers the next calls to an operation, and Undo takes that back', async () => {
  const { page, send, world } = await openSent('/plants?limit=1')
  await page.getByRole('button', { name: 'Answer next' }).waitFor()
  await (await findAction(page, 'respond')).filter({ hasText: 'Answer the next calls to plants.list' }).click()
  const form = page.getByRole('form', { name: 'New scenario' })
  const input = (name: string) => form.getByLabel(new RegExp(`^${name}( optional)?$`))
  await input('times').fill('2')
  await input('status').fill('503')
  await input('body').fill('{"error":503,"message":"later"}')
  await click(page, 'Try')
  await expect.poll(() => world.scenarios.length).toBe(1)
  const statuses = []
  for (let call = 0; call < 3; call++) statuses.push((await send('/plants?limit=1')).status)
  expect(statuses).toEqual([503, 503, 200])
  expect(world.journal.calls({ status: 503 })[0]!.response.body).toContain('later')
  await undo(page, 'is active')
  await expect.poll(() => world.scenarios.length).toBe(0)
})

test('a request is saved as a new scenario, or as a case with all earlier requests', async () => {
  const { page } = await openPanel('#/traffic/3', { before: fillWorld })
  const saved = await download(page, () => chooseItem(page, 'Save the request', 'Save as a case'))
  expect(saved.file).toBe('default.case.json')
  const replayed = await replayCase(loadCase(join(writeFolder({ [saved.file]: saved.text }), saved.file)))
  expect([replayed.requests, replayed.differences]).toEqual([3, []])
  replayed.greenhouse.close()
  await chooseItem(page, 'Save the request', 'Save as scenario')
  await page.getByText('No mistakes.').waitFor()
  const { file, text } = await download(page, () => click(page, 'Download'))
  expect([file, text]).toEqual(['plants-create-400.yaml', expect.stringContaining('exists already')])
})
