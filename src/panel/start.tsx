import { render } from 'preact'
import { after } from '../core/time/clock.ts'
import { closeDialog, forgetQuestion, openDialog } from './components/controls.tsx'
import { addCommands, type PanelCommand, listenToKeys } from './components/keys.ts'
import { forgetOffline, forgetUndos, undoLast } from './components/toast.tsx'
import type { Backend } from './data/control.ts'
import { createPanel, type Panel } from './data/panel.ts'
import {
  focusedElement,
  showSurface,
  showTheme,
  type Surface,
  surfaceRoot,
} from './data/surface.ts'
import { PanelApp } from './frame/app.tsx'
import { views } from './views/index.ts'

/** Draws the panel. Only one can be shown at a time: end the former one first. */
export function startPanel(surface: Surface, backend: Backend): Panel {
  const { element, themed, close } = surface
  const endSurface = showSurface(surface)
  const panel = createPanel(
    backend,
    surface,
    views.map(({ id }) => id),
  )
  panel.onEnd(
    showTheme(themed),
    // In another page, only keys pressed within the panel are its own.
    listenToKeys(close ? element : window),
    keepFocus(element),
    () => render(null, element),
    forgetQuestion,
    endSurface,
    panel.live.connection.subscribe((connection) => connection === 'live' && forgetOffline()),
  )
  panel.live.onRestart(forgetUndos)
  panel.live.onRestart(forgetQuestion)
  register(panel)
  render(<PanelApp panel={panel} />, element)
  return panel
}

/**
 * What may get the focus: a list with keys first; no input, which would take the panel's keys;
 * nothing that deletes.
 */
const lists = '[data-list], [data-row][tabindex="0"]'
const controls = ':is(button, a[href], summary, [tabindex="0"]):not(:disabled, .button-danger)'

/**
 * Moves the focus to the nearest list or control, or else to the view, when the focused element is
 * removed or disabled. Returns a function that ends this.
 */
function keepFocus(element: HTMLElement): () => void {
  let last: HTMLElement | undefined
  /** The elements around it, innermost first. A removed element has no parents. */
  let around: readonly HTMLElement[] = []
  const onFocus = (event: Event) => {
    const path = event.composedPath() as HTMLElement[]
    last = path[0]
    around = path.slice(1, path.indexOf(element))
  }
  // A user who leaves the panel wants the focus elsewhere. After a removal, it is back by then.
  const onBlur = () =>
    after(0, () => !element.contains(focusedElement() ?? null) && (last = undefined))
  const observer = new MutationObserver(() => {
    const focused = focusedElement()
    if (!last || (last.isConnected && !last.matches(':disabled'))) return
    if (focused && focused !== last && !focused.contains(element)) return
    const root = surfaceRoot()
    const view = root.getElementById('view')
    const found = around
      // A part that is drawn again elsewhere has the same id.
      .flatMap((node) => {
        if (node.isConnected) return node
        return root.getElementById(node.id) ?? []
      })
      .filter((node) => !node.contains(view))
      .map(
        (node) =>
          node.querySelector<HTMLElement>(lists) ?? node.querySelector<HTMLElement>(controls),
      )
      .find(Boolean)
    ;(found ?? view)?.focus({ preventScroll: true })
  })
  element.addEventListener('focusin', onFocus)
  element.addEventListener('focusout', onBlur)
  observer.observe(element, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled'],
  })
  return () => {
    element.removeEventListener('focusin', onFocus)
    element.removeEventListener('focusout', onBlur)
    observer.disconnect()
  }
}

function register(panel: Panel) {
  const { router, surface } = panel
  const { close } = surface
  const ofFrame: readonly PanelCommand[] = [
    ...(close ? [{ title: 'Close the panel', keys: 'Escape', run: close }] : []),
    ...views.map(({ id, title, key }) => ({
      title: `Go to ${title}`,
      keys: `g ${key}`,
      run: () => router.go({ view: id }),
    })),
    { title: 'Undo the last change', keys: 'u', run: undoLast },
    {
      title: 'List the keys',
      keys: '?',
      run: () => void (openDialog.value = 'keys'),
    },
    { title: 'Search', keys: '/', run: search },
    { title: 'Search', keys: 'Mod+k', run: search },
    { title: 'Go to the filter', keys: 'f', run: focusFilter },
  ]
  panel.onEnd(addCommands(ofFrame), closeDialog)
}

function search() {
  openDialog.value = 'search'
}

function focusFilter() {
  surfaceRoot().querySelector<HTMLElement>('[data-filter]')?.focus()
}
