import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'
import { requestsOf } from './requests.ts'

const choose = async (page: Page, title: string) => {
  // Keys work only after the panel is drawn.
  await page.locator('.clock-time').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find an action' }).fill(title)
  await page.getByRole('dialog').getByRole('option', { name: title }).first().waitFor()
  await page.keyboard.press('Enter')
}

describePanel('an action is the same wherever it is called', (open) => {
  test('the palette asks before it clears the traffic', async () => {
    const { page, send, greenhouse } = await open('#/traffic')
    await send('/plants')
    await requestsOf(page).first().waitFor()
    await choose(page, 'Clear the traffic')
    const question = page.getByRole('dialog', { name: 'Clear the traffic?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(greenhouse.world().journal.size).toBe(1)
    await choose(page, 'Clear the traffic')
    await question.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('No requests yet').waitFor()
  })

  test('the palette switches off one scenario or all, as the bar does, with a notice and Undo', async () => {
    const { page, greenhouse } = await open('#/overview', {
      before: (made) => ['slow', 'forbidden'].forEach((name) => made.world().use(name as 'slow')),
    })
    const world = greenhouse.world()
    await page.getByRole('region', { name: 'Active scenarios' }).getByText('slow').waitFor()
    await choose(page, 'Switch off all scenarios')
    await page.getByText('Switched off 2 scenarios').waitFor()
    expect(world.scenarios).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => world.scenarios).toEqual(['slow', 'forbidden'])
    await choose(page, 'Switch off forbidden')
    await page.getByText('Switched off forbidden').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => world.scenarios).toEqual(['slow', 'forbidden'])
  })
})

describePanel('what takes the world back can be taken back itself', (open) => {
  test('a reset: data, scenarios and snapshots are as they were', async () => {
    const { page, greenhouse } = await open('#/overview', {
      before: (made) => {
        const world = made.world()
        world.snapshot('mine')
        world.use('slow', { ms: 3 })
        world.records.plants.delete(101)
        world.records.apps.update(world.records.apps.all()[0]!.id, { name: 'Changed' })
      },
    })
    const world = greenhouse.world()
    await choose(page, 'Reset world')
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    await page.getByText('Reset default', { exact: true }).waitFor()
    expect(world.scenarios).toEqual([])
    expect(world.snapshots).toEqual(['mine', 'before-reset'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => world.scenarios).toEqual(['slow'])
    await expect.poll(() => world.snapshots).toEqual(['mine', 'before-undo'])
    expect(world.records.plants.get(101)).toBeUndefined()
    expect(world.records.apps.all()[0]!.name).toBe('Changed')
  })

  test('a restore: what was changed since the snapshot is there again', async () => {
    const { page, greenhouse } = await open('#/data?face=snapshots', {
      before: (made) => {
        made.world().snapshot('mine')
        made.world().records.plants.delete(101)
      },
    })
    const world = greenhouse.world()
    await page.getByRole('button', { name: 'Restore mine' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Restored mine').waitFor()
    expect(world.records.plants.get(101)).toBeDefined()
    expect(world.snapshots).toEqual(['mine', 'before-restore'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => world.records.plants.get(101)).toBeUndefined()
    await expect.poll(() => world.snapshots).toEqual(['mine', 'before-undo'])
  })

  test('an undo of a reset: what others changed since the reset is saved, and comes back', async () => {
    const { page, greenhouse, send } = await open('#/overview', {
      before: (made) => void made.world().records.plants.delete(101),
    })
    const { plants } = greenhouse.world().records
    const has = () => [101, 7001].map((id) => plants.get(id) !== undefined)
    await choose(page, 'Reset world')
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    await page.getByText('Reset default', { exact: true }).waitFor()
    await send('/plants', { method: 'POST', body: '{"id":7001,"name":"Later"}' })
    await expect.poll(has).toEqual([true, true])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('saved as before-undo').waitFor()
    expect(has()).toEqual([false, false])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('saved as before-reset').waitFor()
    expect(has()).toEqual([true, true])
    expect(greenhouse.world().snapshots).toEqual(['before-reset'])
  })

  test('what was offered to undo before a reset is offered no more', async () => {
    const { page } = await open('#/scenarios/slow')
    await page.getByRole('switch', { name: 'In use' }).click()
    await page.getByText('slow is active').waitFor()
    await choose(page, 'Reset world')
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    await page.getByText('Reset default', { exact: true }).waitFor()
    expect(await page.getByText('slow is active').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(1)
  })
})
