import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { describePanel } from '../support/panel.ts'
import { fillWorld } from './filled-world.ts'
import { goTo, listPlaces } from './places.ts'

declare global {
  var pressed: Set<Element>
  /** The elements that Tab reached, including those of the frame in earlier views. */
  var walked: Set<Element>
  /** Whether Tab came to one of these again. */
  var isAround: boolean
}

/** Records every element with a press handler, and every focusable one. */
function noteUsed(): void {
  globalThis.pressed = new Set()
  globalThis.walked = new Set()
  let last: Element | undefined
  addEventListener('focusin', ({ target }) => {
    // The one that has it gets it again where the page does.
    globalThis.isAround ||= target !== last && globalThis.walked.has(target as Element)
    globalThis.walked.add((last = target as Element))
  })
  const add = EventTarget.prototype.addEventListener
  EventTarget.prototype.addEventListener = function (this: EventTarget, type: string, ...rest: unknown[]) {
    if (type === 'click' && this instanceof Element) globalThis.pressed.add(this)
    return (add as (...args: unknown[]) => void).call(this, type, ...rest)
  }
}

/** Returns visible elements that work only with a pointer: not focusable, in no list with keys, without an equivalent inside. */
function findPointerOnly(): string[] {
  const takesFocus = 'button, a[href], input, select, textarea, summary, label, [tabindex]'
  const lists = '[role=listbox][tabindex], [role=menu], [role=tablist], [data-list]'
  return [...globalThis.pressed]
    .filter((element) => element.isConnected && element.checkVisibility())
    .filter((element) => !element.matches(takesFocus) && element.closest(lists) === null)
    .filter((element) => element.querySelector(takesFocus) === null)
    .map((element) => element.outerHTML.slice(0, 120))
}

/** Returns visible controls that Tab never reaches, except within groups for arrow keys. */
function findUnreached(): string[] {
  // While a dialog is open, the rest is out of reach for everyone.
  const within = document.querySelector('dialog:modal') ?? document
  const used = 'button, a[href], input, select, textarea, summary, [tabindex="0"]'
  return [...within.querySelectorAll<HTMLElement>(used)]
    .filter((element) => element.checkVisibility() && !(element as HTMLButtonElement).disabled)
    .filter((element) => element.closest('[inert]') === null && element.tabIndex >= 0)
    .filter((element) => !globalThis.walked.has(element))
    .map((element) => element.outerHTML.slice(0, 120))
}

/** Skips the frame once Tab went through it, as its first button does, and forgets what was reached in the view. */
function beginWalk(): void {
  ;(document.activeElement as HTMLElement | null)?.blur()
  for (const element of globalThis.walked)
    if (!element.isConnected || element.closest('#view, dialog') !== null) globalThis.walked.delete(element)
  if (globalThis.walked.size > 0) document.querySelector<HTMLElement>('.skip')!.click()
  globalThis.isAround = false
}

/** Records from the page's start. */
async function noteFromTheStart(page: Page): Promise<void> {
  const script = await page.addInitScript(noteUsed)
  onTestFinished(() => script.dispose())
}

describePanel('the keyboard', (open) => {
  test('reaches everything that a pointer can press, in every view', async () => {
    const { page } = await open('', { before: fillWorld, route: noteFromTheStart })
    for (const place of await listPlaces(page)) {
      await goTo(page, place)
      await page.evaluate(beginWalk)
      expect([place, await page.evaluate(findPointerOnly)]).toEqual([place, []])
      // Past the last one it leaves the page, and comes back to the first. Held down, it moves on for each time that it is said to be.
      let steps = 0
      for (
        let left = (await page.evaluate(findUnreached)).length + 1;
        steps < 400 && left > 0;
        left = (await page.evaluate(() => globalThis.isAround)) ? 0 : 4
      )
        for (; left > 0; left--, steps++) await page.keyboard.down('Tab')
      await page.keyboard.up('Tab')
      expect([place, await page.evaluate(findUnreached)]).toEqual([place, []])
    }
  })
})
