import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openInPage } from '../support/in-page.ts'
import { click } from './page.ts'
import { test } from './world.ts'

const read = (name: string) =>
  readFileSync(new URL(`page-styles/${name}.css`, import.meta.url), 'utf8')

/** What pages do to elements that they did not write, with the names of the panel's own tokens. */
const everything = `
:root {
  font-size: 62.5%; --text: red; --edge: 90px; --step: 40px; --column: 20px; --title-width: 10px;
  --detail: 10%; --columns: 1fr; --place: 9; --size-of-drawer: 250px;
}
body { font: italic 700 30px/3 serif; text-align: center; text-transform: uppercase; direction: rtl;
  user-select: none; pointer-events: none; cursor: crosshair; visibility: hidden }
* { margin: 7px !important; padding: 7px !important; box-sizing: content-box !important;
  color: red !important; font-size: 40px !important; transition: all 9s !important }
:focus, :focus-visible { outline: 9px solid red !important }
button, input, select, textarea { all: unset; width: 100% !important; background: yellow !important }
svg { display: block; width: 100%; fill: red }
table { border-collapse: separate; border-spacing: 9px }
[hidden] { display: block !important }
::backdrop { background: rgb(255 0 0) !important }
::placeholder { color: red !important; opacity: 0.1 !important }
::selection { background: red !important }
`

/** Nothing that is not asked for, and nothing inline. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; worker-src 'self'; img-src data:; connect-src 'self' http://plants.test http://apps.test; base-uri 'none'; form-action 'none'; object-src 'none'"

/** How to come to a place from the one before it. */
const places: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'the button': (page) => page.getByRole('button', { name: 'Greenhouse' }).waitFor(),
  'the first steps': async (page) => {
    await click(page, 'Greenhouse')
    await page.getByRole('table', { name: 'Keys' }).waitFor()
  },
  'a scenario': async (page) => {
    await goTo(page, 'Scenarios')
    await page.getByRole('link', { name: 'Connection reset', exact: true }).click()
    await page.locator('.tab-panel').waitFor()
  },
  'a record': async (page) => {
    await goTo(page, 'Data')
    await page.locator('[data-row]').first().click()
    await page.getByRole('button', { name: 'Save' }).waitFor()
  },
  webhooks: (page) => goTo(page, 'Webhooks'),
  'a menu': async (page) => {
    await goTo(page, 'Time')
    await click(page, 'Manage worlds')
  },
  'a dialog': async (page) => {
    await page.getByRole('menuitem', { name: 'New world…' }).click()
    await page.getByRole('dialog').getByLabel('Name').waitFor()
  },
}

async function goTo(page: Page, view: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click()
  await page.locator(`#view[aria-label=${view}] h1`).waitFor()
  await expect.poll(() => page.locator('.view [aria-busy=true]').count()).toBe(0)
}

interface Look {
  readonly name: string
  /** By the name of the property, those of parts such as `::before` with the part. */
  readonly values: Readonly<Record<string, string>>
}

/** What a page's rules for all elements mostly set; reading all properties would take a minute. */
const properties =
  'appearance background-color border-block-width border-inline-width border-radius border-top-color box-shadow box-sizing color cursor direction display fill font letter-spacing list-style-type margin opacity outline overflow padding pointer-events position stroke text-align text-decoration-line text-indent text-transform transform transition user-select vertical-align visibility white-space word-spacing writing-mode'.split(
    ' ',
  )

/** The styles and the place of every element of the drawer, and of the element in the page. */
const lookAt = (page: Page): Promise<readonly Look[]> =>
  page.evaluate((names) => {
    const host = document.querySelector('greenhouse-panel')!
    const read = (element: Element, part = '') => {
      const style = getComputedStyle(element, part || null)
      return names.map((name) => [name + part, style.getPropertyValue(name)] as const)
    }
    return [host, ...host.shadowRoot!.querySelectorAll('*')].map((element) => {
      const parts = Object.entries({
        '::backdrop': ':popover-open, :modal',
        '::before': '.switch',
        '::placeholder': 'input',
      }).flatMap(([part, selector]) => (element.matches(selector) ? read(element, part) : []))
      const { x, y, width, height } = element.getBoundingClientRect()
      const place = [x, y, width, height].map((pixels) => pixels.toFixed(1)).join(' ')
      const name = `${element.localName}.${element.getAttribute('class') ?? ''}`
      return { name, values: Object.fromEntries([...read(element), ...parts, ['place', place]]) }
    })
  }, properties)

/** Shows the drawer of a page with these styles at each place. */
async function lookAtPlaces(styles: string): Promise<Readonly<Record<string, readonly Look[]>>> {
  const { page } = await openInPage({ mount: false, styles, policy })
  await page.evaluate(() => {
    globalThis.greenhouse.world().clock.freeze()
    globalThis.mount()
  })
  const looks: Record<string, readonly Look[]> = {}
  for (const [name, open] of Object.entries(places)) {
    await open(page)
    await page.mouse.move(1, 1)
    looks[name] = await lookAt(page)
  }
  return looks
}

let plain: ReturnType<typeof lookAtPlaces> | undefined

test.each([
  ['Tailwind', read('tailwind-preflight')],
  ['Bootstrap', read('bootstrap-reboot')],
  ['rules for every element', everything],
])(
  'in a page with %s and a strict policy, the drawer looks as in an empty page',
  async (_, styles) => {
    const expected = await (plain ??= lookAtPlaces(''))
    const looks = await lookAtPlaces(styles)
    for (const [place, elements] of Object.entries(expected)) {
      const found = looks[place]!
      expect([place, found.map(({ name }) => name)]).toEqual([
        place,
        elements.map(({ name }) => name),
      ])
      const differences = elements.flatMap(({ name, values }, index) =>
        Object.entries(values)
          .filter(([property, value]) => found[index]!.values[property] !== value)
          .map(([property, value]) => {
            const other = found[index]!.values[property]
            return `${place}: ${property} of ${name} is ${other}, not ${value}`
          }),
      )
      expect(differences.slice(0, 40)).toEqual([])
    }
  },
)
