import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'
import { fillWorld } from './filled-world.ts'
import { goTo, listPlaces } from './places.ts'

declare global {
  var pressed: Set<Element>
}

/** Notes every element that does something when it is pressed. */
function notePressed(): void {
  globalThis.pressed = new Set()
  const add = EventTarget.prototype.addEventListener
  EventTarget.prototype.addEventListener = function (this: EventTarget, type: string, ...rest: unknown[]) {
    if (type === 'click' && this instanceof Element) globalThis.pressed.add(this)
    return (add as (...args: unknown[]) => void).call(this, type, ...rest)
  }
}

/** What a pointer can do in sight and no key can: what takes no focus, is in no list that takes keys, and holds nothing that does the same. */
function findPointerOnly(): string[] {
  const takesFocus = 'button, a[href], input, select, textarea, summary, label, [tabindex]'
  const lists = '[role=listbox][tabindex], [role=menu], [role=tablist], [data-list]'
  return [...globalThis.pressed]
    .filter((element) => element.isConnected && element.checkVisibility())
    .filter((element) => !element.matches(takesFocus) && element.closest(lists) === null)
    .filter((element) => element.querySelector(takesFocus) === null)
    .map((element) => element.outerHTML.slice(0, 120))
}

/** What stands in sight to be used and Tab never reaches, unless it is one of a group that arrow keys move in. */
function findUnreached(reached: readonly string[]): string[] {
  // While a dialog is open, the rest is out of reach for everyone.
  const within = document.querySelector('dialog:modal') ?? document
  const used = 'button, a[href], input, select, textarea, summary, [tabindex="0"]'
  return [...within.querySelectorAll<HTMLElement>(used)]
    .filter((element) => element.checkVisibility() && !(element as HTMLButtonElement).disabled)
    .filter((element) => element.closest('[inert]') === null && element.tabIndex >= 0)
    .filter((element) => !reached.includes(element.dataset['walked'] ?? ''))
    .map((element) => element.outerHTML.slice(0, 120))
}

/** Names the element that has the focus, and returns its name; empty where the page itself has it. */
function nameFocused(name: string): string {
  const element = document.activeElement as HTMLElement | null
  if (!element || element === document.body) return ''
  return (element.dataset['walked'] ??= name)
}

describePanel('the keyboard', (open) => {
  test('reaches everything that a pointer can press, in every view', async () => {
    const { page } = await open('', { before: fillWorld })
    await page.addInitScript(notePressed)
    await page.reload()
    for (const place of await listPlaces(page)) {
      await goTo(page, place)
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
      expect([place, await page.evaluate(findPointerOnly)]).toEqual([place, []])
      const reached: string[] = []
      for (let step = 0; step < 400; step++) {
        await page.keyboard.press('Tab')
        const name = await page.evaluate(nameFocused, `${place} ${step}`)
        // Past the last one it leaves the page, and comes back to the first.
        if (reached.includes(name)) break
        if (name !== '') reached.push(name)
      }
      expect([place, await page.evaluate(findUnreached, reached)]).toEqual([place, []])
    }
  })
})
