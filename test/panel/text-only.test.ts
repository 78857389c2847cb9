import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'
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
})
