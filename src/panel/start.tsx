import { render } from 'preact'
import { after } from '../core/time/clock.ts'
import { forgetQuestion } from './components/dialog.tsx'
import { type KeyBinding, listenToKeys, registerAction, registerKey } from './components/keys.ts'
import { forgetOffline, forgetUndos, toast, undoLast } from './components/toast.tsx'
import type { Backend } from './data/control.ts'
import { createPanel, type Panel } from './data/panel.ts'
import type { ClockChange } from './data/shapes.ts'
import { focusedElement, showSurface, showTheme, type Surface, surfaceRoot, theme, watchWidth } from './data/surface.ts'
import { PanelApp } from './frame/app.tsx'
import { openDialog } from './frame/palette.tsx'
import { switchAllOff } from './frame/switch.ts'
import {
  advanceClock,
  clearTraffic,
  clockSteps,
  openCase,
  resetWorld,
  runNext,
  takeSnapshot,
} from './frame/world-actions.ts'
import { countChanges, toPresentRoute, views } from './views/index.ts'

/** Draws the panel. Only one can be shown at a time: end the former one first. */
export function startPanel(surface: Surface, backend: Backend): Panel {
  const { element, themed, close } = surface
  const endSurface = showSurface(surface)
  const panel = createPanel(backend, surface, toPresentRoute)
  for (const end of [
    showTheme(themed),
    watchWidth(element),
    // In another page, only keys pressed within the panel are its own.
    listenToKeys(close ? element : window),
    keepFocus(element),
    () => render(null, element),
    forgetQuestion,
    endSurface,
  ])
    panel.onEnd(end)
  panel.live.onRestart(() => {
    forgetUndos()
    forgetQuestion()
  })
  panel.onEnd(panel.live.connection.subscribe((connection) => connection === 'live' && forgetOffline()))
  registerBase(panel)
  const counts = countChanges(panel)
  render(<PanelApp panel={panel} counts={counts} />, element)
  return panel
}

/** What may get the focus: a list with keys first; no input, which would take the panel's keys; nothing that deletes. */
const lists = '[data-list], [data-row][tabindex="0"]'
const controls = ':is(button, a[href], summary, [tabindex="0"]):not(:disabled, .button-danger, .icon-button-danger)'

/** Moves the focus to the nearest list or control, or else to the view, when the focused element is removed or disabled. Returns a function that ends this. */
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
  const onBlur = () => after(0, () => !element.contains(focusedElement() ?? null) && (last = undefined))
  const observer = new MutationObserver(() => {
    const focused = focusedElement()
    if (!last || (last.isConnected && !last.matches(':disabled'))) return
    if (focused && focused !== last && !focused.contains(element)) return
    const root = surfaceRoot()
    const view = root.getElementById('view')
    const found = around
      // A part that is drawn again elsewhere has the same id.
      .map((node) => (node.isConnected ? node : root.getElementById(node.id)))
      .filter((node) => node && !node.contains(view))
      .map((node) => node!.querySelector<HTMLElement>(lists) ?? node!.querySelector<HTMLElement>(controls))
      .find(Boolean)
    ;(found ?? view)?.focus({ preventScroll: true })
  })
  element.addEventListener('focusin', onFocus)
  element.addEventListener('focusout', onBlur)
  observer.observe(element, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    element.removeEventListener('focusin', onFocus)
    element.removeEventListener('focusout', onBlur)
    observer.disconnect()
  }
}

function registerBase(panel: Panel): void {
  const { world, router, surface } = panel
  const { close } = surface
  const change = (wanted: ClockChange) => world.changeClock(wanted)
  const showKeys = () => void (openDialog.value = 'keys')
  const goTo = views
    .filter(({ key }) => key)
    .map(({ id, title, key }) => ({
      id: `go:${id}`,
      title: `Go to ${title}`,
      keywords: 'view show open',
      keys: `g ${key}`,
      run: () => router.go({ view: id }),
    }))
  const rows: readonly (readonly [id: string, title: string, keywords: string, run: () => unknown, keys?: string])[] = [
    ...[...clockSteps, ['30d', '30 days'] as const].map(
      ([by, words]) =>
        [`advance:${by}`, `Advance ${words}`, 'clock time move', () => advanceClock(panel, by, words)] as const,
    ),
    ['clock:freeze', 'Freeze the clock', 'stop time', () => change({ frozen: true })],
    ['clock:run', 'Let the clock run', 'start time', () => change({ frozen: false })],
    ['clock:next', 'Run to what is due next', 'clock time advance due', () => runNext(panel)],
    ['world:reset', 'Reset world', 'start anew', () => resetWorld(panel)],
    ['scenarios:clear', 'Switch off all scenarios', 'clear', () => switchAllOff(panel)],
    [
      'undo',
      'Undo the last change',
      'take back revert',
      () => void (undoLast() || toast({ text: 'There is nothing to undo any more' })),
    ],
    ['snapshots:take', 'Take a snapshot', 'save data state', () => takeSnapshot(panel)],
    [
      'snapshots:show',
      'Show the snapshots',
      'compare restore data',
      () => router.go({ view: 'data', params: { face: 'snapshots' } }),
    ],
    [
      'code:curl',
      'Show code for curl, fetch and test runners',
      'snippet example base url',
      () => router.go({ view: 'overview', params: { code: 'curl' } }),
    ],
    [
      'deliveries:show',
      'Show the deliveries of webhooks',
      'redeliver send again retry',
      () => router.go({ view: 'webhooks', rest: ['deliveries'] }),
    ],
    ['case:open', 'Open a case or HAR…', 'file replay archive import load', () => openCase(panel)],
    ['journal:clear', 'Clear the traffic', 'journal requests', () => clearTraffic(panel)],
    ...(['system', 'light', 'dark'] as const).map(
      (name) =>
        [
          `theme:${name}`,
          name === 'system' ? 'Use the system theme' : `Use the ${name} theme`,
          'theme colours light dark',
          () => void (theme.value = name),
        ] as const,
    ),
    ['keys', 'Show keyboard shortcuts', 'shortcuts help', showKeys, '?'],
    ...(close ? [['close', 'Close the panel', 'hide drawer', close] as const] : []),
  ]
  const base = [...goTo, ...rows.map(([id, title, keywords, run, keys]) => ({ id, title, keywords, run, keys }))]
  const bindings: KeyBinding[] = [
    ...(close ? [{ keys: 'Escape', title: 'Close the panel', run: close }] : []),
    ...goTo,
    { keys: 'Mod+k', title: 'Open the palette', whileTyping: true, run: togglePalette },
    { keys: '?', title: 'Show keyboard shortcuts', run: showKeys },
    {
      keys: '/',
      title: 'Go to the filter',
      run: () => surfaceRoot().querySelector<HTMLElement>('[data-filter]')?.focus(),
    },
  ]
  for (const end of [...base.map(registerAction), ...bindings.map(registerKey)]) panel.onEnd(end)
  panel.onEnd(() => (openDialog.value = undefined))
}

function togglePalette(): void {
  openDialog.value = openDialog.value === 'palette' ? undefined : 'palette'
}
