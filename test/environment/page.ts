import { onTestFinished, vi } from 'vitest'

/**
 * Makes this test a page with a window, as Vitest does: the document's own `defaultView` is the
 * test's globals.
 */
export function stubPage(window: object): void {
  const listeners = { addEventListener() {}, removeEventListener() {} }
  const own = Object.defineProperties(listeners, Object.getOwnPropertyDescriptors(window))
  vi.stubGlobal(
    'document',
    Object.create({ defaultView: own }, { defaultView: { value: globalThis } }),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
}
