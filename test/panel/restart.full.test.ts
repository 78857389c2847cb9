import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { describePanel, type OpenPanel } from '../support/panel.ts'
import { holdAnswers } from './hold-answers.ts'
import { requestsOf } from './requests.ts'

const withKey = { headers: { authorization: 'Bearer key_pro' } }

describePanel('a server that was started again', (open) => {
  test('is announced, and starts a new list of requests, although it counts from 1 again', async () => {
    const { page, server, send } = await open('#/traffic')
    for (const limit of [1, 2, 3]) await send(`/plants?limit=${limit}`)
    await expect.poll(() => requestsOf(page).count()).toBe(3)
    await requestsOf(page).filter({ hasText: 'limit=3' }).click()
    await page.getByRole('complementary', { name: 'Request 3' }).waitFor()
    await server.close()
    await page.getByText('offline').waitFor()

    await using again = await serve(createGreenhouse(), { port: server.port })
    await fetch(`${again.url}/plants?limit=77`, withKey)
    await page.getByText('live', { exact: true }).waitFor()
    await requestsOf(page).filter({ hasText: 'limit=77' }).waitFor()
    expect(await requestsOf(page).count()).toBe(1)
    expect(await page.getByRole('complementary', { name: /^Request / }).count()).toBe(0)
    const note = page.getByRole('status').filter({ hasText: 'The server was started again' })
    await note.getByRole('button', { name: 'Dismiss' }).click()
    await expect.poll(() => note.count()).toBe(0)
  })

  test('takes no change back that was made in the one before', async () => {
    const { page, server } = await open('#/scenarios/slow')
    await page.getByRole('switch', { name: 'In use' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await server.close()
    await page.getByText('offline').waitFor()
    await using _ = await serve(createGreenhouse(), { port: server.port })
    await page.getByText('The server was started again').waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  })

  test('forgets what was typed over a record of the one before', async () => {
    const { page, server } = await open('#/data/plants/1')
    const name = page.getByRole('complementary').getByRole('textbox', { name: /name/i }).first()
    const before = await name.inputValue()
    await name.fill('Half a name')
    await server.close()
    await page.getByText('offline').waitFor()
    await using _ = await serve(createGreenhouse(), { port: server.port })
    await page.getByText('The server was started again').waitFor()
    await expect.poll(() => name.inputValue()).toBe(before)
  })
})

describePanel('a world that was reset while the panel was offline', (open) => {
  test('has none of the requests of before in its list', async () => {
    await expectNewList(await open('#/traffic'))
  })

  test('has none of them, though the journal before was never read', async () => {
    const { hold, release } = holdAnswers('**/journal*')
    await expectNewList(await open('#/traffic', { route: hold }), release)
  })
})

async function expectNewList({ page, greenhouse, server, send }: OpenPanel, onClosed = () => {}): Promise<void> {
  await page.getByText('live', { exact: true }).waitFor()
  for (const limit of [1, 2, 3]) await send(`/plants?limit=${limit}`)
  await expect.poll(() => requestsOf(page).count()).toBe(3)
  await server.close()
  onClosed()
  await page.getByText('offline').waitFor()
  greenhouse.world().reset()
  // More events than are kept for readers that come back.
  for (let count = 0; count < 3_000; count++) {
    greenhouse.world().assume('plants.delete.unknown', count % 2 ? '204' : '404')
    await new Promise((resolve) => setImmediate(resolve))
  }
  await using again = await serve(greenhouse, { port: server.port })
  await fetch(`${again.url}/plants?limit=77`, withKey)
  await page.getByText('live', { exact: true }).waitFor()
  await requestsOf(page).filter({ hasText: 'limit=77' }).waitFor()
  await expect.poll(() => requestsOf(page).count()).toBe(1)
  expect(await page.getByText('The server was started again').count()).toBe(0)
}
