import { render } from 'preact'
import { after } from '../core/time/clock.ts'
import { forgetQuestion } from './components/dialog.tsx'
import { type Action, type KeyBinding, listenToKeys, registerAction, registerKey } from './components/keys.ts'
import { forgetOffline, forgetUndos, toast, undoLast } from './components/toast.tsx'
import { createPanel, type Panel } from './data/panel.ts'
import {
  focusedElement,
  showSurface,
  showTheme,
  type Surface,
  surfaceRoot,
  type Theme,
  theme,
  watchWidth,
} from './data/surface.ts'
import type { Transport } from './data/transport.ts'
import { PanelApp, preloadView } from './frame/app.tsx'
import { openDialog } from './frame/palette.tsx'
import { switchAllOff } from './frame/switch.ts'
import { clearTraffic, openCase, resetWorld, takeSnapshot } from './frame/world-actions.ts'
import { countChanges, views } from './views/index.ts'

/** Draws the panel. Only one can be shown at a time: end the former one first. @param transport reaches its Greenhouse. */
export function startPanel(surface: Surface, transport: Transport): Panel {
  const { element, themed, close } = surface
  const endSurface = showSurface(surface)
  const panel = createPanel(transport, surface)
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
  const draw = () => render(<PanelApp panel={panel} counts={counts} />, element)
  if (close) draw()
  // The page already shows the static frame, so the panel is drawn together with its view.
  else void preloadView(panel).then(draw)
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

const steps = [
  ['1m', '1 minute'],
  ['1h', '1 h'],
  ['1d', '1 day'],
  ['30d', '30 days'],
] as const

function registerBase(panel: Panel): void {
  const { world, router, surface } = panel
  const change = (wanted: { advance?: string; frozen?: boolean }) => world.changeClock(world.name.peek(), wanted)
  const goTo: Action[] = views.map(({ id, title, key }) => ({
    id: `go:${id}`,
    title: `Go to ${title}`,
    keywords: 'view show open',
    keys: `g ${key}`,
    run: () => router.go({ view: id }),
  }))
  const base: Action[] = [
    ...goTo,
    ...steps.map(([advance, words]) => ({
      id: `advance:${advance}`,
      title: `Advance ${words}`,
      keywords: 'clock time move',
      run: async () => {
        await change({ advance })
        toast({ text: `Advanced the clock by ${words}` })
      },
    })),
    { id: 'clock:freeze', title: 'Freeze the clock', keywords: 'stop time', run: () => change({ frozen: true }) },
    { id: 'clock:run', title: 'Let the clock run', keywords: 'start time', run: () => change({ frozen: false }) },
    {
      id: 'clock:next',
      title: 'Run to what is due next',
      keywords: 'clock time advance due',
      run: async () => {
        const { done } = await world.runNext(world.name.peek())
        const [first, ...rest] = done
        toast({
          text: first ? `${first.title}${rest.length > 0 ? `, and ${rest.length} more` : ''}` : 'Nothing is due',
        })
      },
    },
    { id: 'world:reset', title: 'Reset world', keywords: 'start anew', run: () => resetWorld(panel) },
    {
      id: 'scenarios:clear',
      title: 'Switch off all scenarios',
      keywords: 'clear',
      run: () => switchAllOff(panel),
    },
    {
      id: 'undo',
      title: 'Undo the last change',
      keywords: 'take back revert',
      run: () => void (undoLast() || toast({ text: 'There is nothing to undo any more' })),
    },
    { id: 'snapshots:take', title: 'Take a snapshot', keywords: 'save data state', run: () => takeSnapshot(panel) },
    {
      id: 'snapshots:show',
      title: 'Show the snapshots',
      keywords: 'compare restore data',
      run: () => router.go({ view: 'data', params: { face: 'snapshots' } }),
    },
    {
      id: 'code:curl',
      title: 'Show code for curl, fetch and test runners',
      keywords: 'snippet example base url',
      run: () => router.go({ view: 'overview', params: { code: 'curl' } }),
    },
    {
      id: 'deliveries:show',
      title: 'Show the deliveries of webhooks',
      keywords: 'redeliver send again retry',
      run: () => router.go({ view: 'webhooks', rest: ['deliveries'] }),
    },
    {
      id: 'case:open',
      title: 'Open a case or HAR…',
      keywords: 'file replay archive import load',
      run: () => openCase(panel),
    },
    {
      id: 'journal:clear',
      title: 'Clear the traffic',
      keywords: 'journal requests',
      run: () => clearTraffic(panel),
    },
    ...(['system', 'light', 'dark'] as const).map((name: Theme) => ({
      id: `theme:${name}`,
      title: name === 'system' ? 'Use the system theme' : `Use the ${name} theme`,
      keywords: 'theme colours light dark',
      run: () => void (theme.value = name),
    })),
    {
      id: 'keys',
      title: 'Show keyboard shortcuts',
      keywords: 'shortcuts help',
      keys: '?',
      run: () => void (openDialog.value = 'keys'),
    },
  ]
  const close = surface.close
  if (close) base.push({ id: 'close', title: 'Close the panel', keywords: 'hide drawer', run: close })
  const keys: KeyBinding[] = [
    ...(close ? [{ keys: 'Escape', title: 'Close the panel', run: close }] : []),
    ...goTo.map(({ title, keys, run }) => ({ keys: keys!, title, run })),
    { keys: 'Mod+k', title: 'Open the palette', whileTyping: true, run: togglePalette },
    { keys: '?', title: 'Show keyboard shortcuts', run: () => (openDialog.value = 'keys') },
    {
      keys: '/',
      title: 'Go to the filter',
      run: () => surfaceRoot().querySelector<HTMLElement>('[data-filter]')?.focus(),
    },
  ]
  for (const end of [...base.map(registerAction), ...keys.map(registerKey)]) panel.onEnd(end)
  panel.onEnd(() => (openDialog.value = undefined))
}

function togglePalette(): void {
  openDialog.value = openDialog.value === 'palette' ? undefined : 'palette'
}
