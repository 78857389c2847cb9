import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

describePanel('a scenario that is half spent stays so', (open) => {
  const use = ['slow:ms=1', 'flaky:failures=2', 'clock-skew'] as const

  test('while others are switched on, off, on again by Undo, changed and moved', async () => {
    const { page, greenhouse, send } = await open('#/scenarios/slow', { greenhouse: { use } })
    const world = greenhouse.world()
    expect((await send('/plants')).status).toBe(500)

    await page.getByRole('switch', { name: 'forbidden', exact: true }).click()
    await expect.poll(() => world.scenarios).toEqual(['slow', 'flaky', 'clock-skew', 'forbidden'])
    const undo = () => page.getByRole('button', { name: 'Undo' }).last().click()
    await undo()
    await expect.poll(() => world.scenarios).toEqual(['slow', 'flaky', 'clock-skew'])

    await page.getByRole('button', { name: 'Switch off slow', exact: true }).click()
    await expect.poll(() => world.scenarios).toEqual(['flaky', 'clock-skew'])
    await undo()
    await expect.poll(() => world.scenarios).toEqual(['slow', 'flaky', 'clock-skew'])
    expect(world.active[0]).toMatchObject({ ms: 1 })

    await page.getByLabel('ms', { exact: true }).fill('2')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(() => world.active[0]).toMatchObject({ name: 'slow', ms: 2 })
    await page.getByRole('button', { name: 'Move slow down' }).click()
    await expect.poll(() => world.scenarios).toEqual(['flaky', 'slow', 'clock-skew'])

    expect((await send('/plants')).status).toBe(500)
    expect((await send('/plants')).status).toBe(200)
  })

  test('while one that is in no library is switched off, which is said to be used up once it is', async () => {
    const { page, greenhouse, send } = await open('#/overview', { greenhouse: { use: ['flaky:failures=3'] } })
    const world = greenhouse.world()
    world.use({ title: 'No apps today', respond: [{ on: 'apps.list', status: 500, times: 1 }] })
    const bar = page.getByRole('region', { name: 'Active scenarios' })
    await bar.getByText('No apps today').waitFor()
    expect((await send('/plants')).status).toBe(500)
    expect((await send('/v1/apps')).status).toBe(500)
    await bar.getByText('used up').waitFor()
    await bar.getByRole('button', { name: 'Switch off “No apps today”' }).click()
    await expect.poll(() => world.scenarios).toEqual(['flaky'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => world.scenarios).toEqual(['flaky', 'inline-no-apps-today'])
    expect(await Promise.all([1, 2].map(async () => (await send('/plants')).status))).toEqual([500, 200])
  })
})
