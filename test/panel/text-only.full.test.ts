import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'
import { markups } from './markup.ts'
import { goTo, listPlaces } from './places.ts'

declare global {
  var broken: string[] | undefined
}

/** Markup that would run where anything took it for markup. */
const markup = `"><img src=x onerror="globalThis.broken=['ran']"><script>globalThis.broken=['ran']</script><b id=strange>`

describePanel('markup from outside', (open) => {
  test('is text in every view: in URLs, bodies, headers, keys, records and names', async () => {
    const { page } = await open('', {
      before: async (greenhouse) => {
        const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json', 'x-strange': markup }
        const send = (path: string, body?: string) =>
          greenhouse.fetch(
            new Request(`http://any${path}`, body === undefined ? { headers } : { method: 'POST', headers, body }),
          )
        await send(`/plants?search=${encodeURIComponent(markup)}&${markup.replace(/[\s#&]/g, '')}`)
        await send('/plants', JSON.stringify({ id: 1000, name: markup, [markup]: markup }))
        await send('/plants', JSON.stringify({ id: 1001, name: markup, tag: markup.slice(0, 20) }))
        await send(`/v1/${encodeURIComponent(markup)}`, markup)
        await send('/v1/apps', JSON.stringify({ name: markup, description: markup }))
        greenhouse.world().use('server-error')
      },
    })
    for (const place of [
      ...(await listPlaces(page)),
      '#/traffic/4',
      '#/traffic/4?face=request',
      '#/traffic/5?face=request',
    ]) {
      await goTo(page, place)
      expect([place, await page.locator('#strange, img, main script').count()]).toEqual([place, 0])
    }
    expect(await page.evaluate(() => globalThis.broken)).toBeUndefined()
  })

  test('is text in the lists and the records that open, whatever it is: 500 texts', async () => {
    expect(new Set(markups).size).toBe(500)
    const { page } = await open('#/traffic', {
      greenhouse: { journal: { entries: 2_000 } },
      before: async (greenhouse) => {
        const headers = { authorization: 'Bearer key_pro_plus', 'content-type': 'application/json' }
        const world = greenhouse.world()
        for (const [at, text] of markups.entries()) {
          world.records.plants.create({ id: 2_000 + at, name: text, tag: text.slice(0, 60), account: 'acct_pro_plus' })
          const body = JSON.stringify({ name: text, [text]: text })
          await greenhouse.fetch(
            new Request(`http://any/plants?${encodeURIComponent(text)}`, { method: 'POST', headers, body }),
          )
        }
      },
    })
    const assertText = async () => expect(await page.locator('#strange, img, main script, main iframe').count()).toBe(0)
    for (const place of ['#/traffic', '#/data/plants?sort=-id', '#/overview']) {
      await goTo(page, place)
      await assertText()
    }
    await page.locator('.side-link', { hasText: 'Traffic' }).click()
    // Each comes into sight as one moves on by pages, and the one that one stops at opens beside the list.
    await page.locator('.virtual-list').focus()
    const last = page.locator('.virtual-row[aria-posinset="500"].is-active')
    for (let pages = 0; pages === 0 || (await last.count()) === 0; pages++) {
      await page.keyboard.press('PageDown')
      await page.keyboard.press('Enter')
      await page.locator('.split-detail h2').waitFor()
      await assertText()
      await page.locator('.virtual-list').focus()
    }
    for (let offset = 0; offset < markups.length; offset += 50) {
      await goTo(page, `#/data/plants?sort=-id&page=${offset / 50 + 1}`)
      await assertText()
    }
    for (const at of [0, 123, 377, 499]) {
      await goTo(page, `#/data/plants/${2_000 + at}`)
      await assertText()
    }
    expect(await page.evaluate(() => globalThis.broken)).toBeUndefined()
  })
})
