import type { InPageGreenhouse } from '../data/control.ts'
import { keepText } from '../data/surface.ts'
import type { drawPanel } from './draw-panel.ts'

/** Loads the code that draws the panel, from separate chunks. */
type LoadPanel = () => Promise<{
  readonly drawPanel: typeof drawPanel
  readonly greenhouse: InPageGreenhouse
}>

/** The panels of the page, in the order of their buttons; one of them may be open. */
const mounts: {
  readonly index: number
  close(): void
}[] = []

/** Adds a button to the page, which opens a drawer with the panel. */
export function mount(load: LoadPanel, options: MountOptions): MountedPanel {
  const { world = 'default', position = 'bottom' } = options
  const wasOpen = keepText(`greenhouse.open:${world}`)
  const index = freeIndex()
  const { host, root, launcher, drawer, panel, failure } = createFrame(world, position, index)
  drawer.prepend(createEdge(drawer, position))
  let loading: ReturnType<LoadPanel> | undefined
  let isOpen = false
  let end: (() => void) | undefined

  const show = async () => {
    try {
      const { drawPanel, greenhouse } = await (loading ??= load())
      // It may already be closed.
      if (isOpen && !end)
        end = drawPanel({
          greenhouse,
          root,
          element: panel,
          world,
          close: () => self.close(),
        })
    } catch (error) {
      loading = undefined
      self.close()
      const why = error instanceof Error ? error.message : String(error)
      failure.textContent = `The panel could not be loaded: ${why}`
      failure.hidden = false
    }
  }
  const self = {
    index,
    open(takesFocus = true) {
      if (isOpen || !host.isConnected) return
      for (const other of mounts) if (other !== self) other.close()
      isOpen = true
      wasOpen.write('yes')
      failure.hidden = true
      launcher.hidden = true
      drawer.hidden = false
      raise(host)
      if (takesFocus) panel.focus()
      void show()
    },
    close() {
      if (!isOpen) return
      isOpen = false
      wasOpen.write('')
      const hadFocus = root.activeElement !== null
      end?.()
      end = undefined
      drawer.hidden = true
      launcher.hidden = false
      if (hadFocus) launcher.focus()
    },
  }
  launcher.addEventListener('click', () => self.open())
  mounts.push(self)
  // While the page loads, the panel leaves the focus alone.
  if (options.open ?? wasOpen.read() === 'yes') self.open(false)

  return {
    open: () => self.open(),
    close: () => self.close(),
    unmount() {
      const remembered = wasOpen.read()
      self.close()
      // A page that unmounts and mounts the panel again, such as a hot reload, shows it as it was.
      wasOpen.write(remembered)
      host.remove()
      const at = mounts.indexOf(self)
      if (at >= 0) mounts.splice(at, 1)
    },
  }
}

function freeIndex(): number {
  let index = 0
  while (mounts.some((one) => one.index === index)) index++
  return index
}

const step = 32

/** The keys that make a drawer larger and smaller. */
const edgeKeys = {
  bottom: ['ArrowUp', 'ArrowDown'],
  left: ['ArrowRight', 'ArrowLeft'],
  right: ['ArrowLeft', 'ArrowRight'],
}

function createEdge(drawer: HTMLElement, position: PanelPosition): HTMLElement {
  const isFlat = position === 'bottom'
  const [larger, smaller] = edgeKeys[position]
  const kept = keepText(`greenhouse.size:${position}`)
  const edge = element('div', {
    className: 'edge',
    tabIndex: 0,
    role: 'separator',
    ariaLabel: 'Size of the panel',
    ariaOrientation: isFlat ? 'horizontal' : 'vertical',
  })

  const whole = () => (isFlat ? innerHeight : innerWidth)
  const size = () => (isFlat ? drawer.offsetHeight : drawer.offsetWidth)
  const announce = (pixels: number) => {
    edge.ariaValueNow = String(Math.round((100 * Math.min(pixels, whole())) / Math.max(1, whole())))
  }
  const resize = (pixels: number) => {
    drawer.style.setProperty('--size-of-drawer', `${Math.round(pixels)}px`)
    kept.write(String(Math.round(pixels)))
    announce(size())
  }
  const before = Number(kept.read())
  if (before > 0) drawer.style.setProperty('--size-of-drawer', `${before}px`)
  announce(before || 0.56 * whole())

  edge.addEventListener('pointerdown', (event) => {
    event.preventDefault()
    edge.setPointerCapture(event.pointerId)
  })
  edge.addEventListener('pointermove', ({ pointerId, clientX, clientY }) => {
    if (!edge.hasPointerCapture(pointerId)) return
    resize(
      {
        bottom: innerHeight - clientY,
        left: clientX,
        right: innerWidth - clientX,
      }[position],
    )
  })
  edge.addEventListener('keydown', (event) => {
    if (event.key !== larger && event.key !== smaller) return
    event.preventDefault()
    resize(size() + (event.key === larger ? step : -step))
  })
  return edge
}

/**
 * Adds the button and the drawer to the page, which sees one element, `host`.
 * @param index the position of the button in its corner, from 0 at the bottom.
 */
function createFrame(world: string, position: PanelPosition, index: number) {
  const host = document.createElement('greenhouse-panel')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(frameStyles)
  root.adoptedStyleSheets = [sheet]

  const title = world === 'default' ? 'Greenhouse' : `Greenhouse: ${world}`
  const frame = element('div', {
    className: `at-${position}`,
    lang: 'en',
  })
  frame.style.setProperty('--place', String(index))
  const launcher = element('button', {
    className: 'launcher',
    type: 'button',
    title: `Open the panel of ${title}`,
    ariaHasPopup: 'dialog',
    textContent: title,
  })
  const drawer = element('section', {
    className: 'drawer',
    hidden: true,
    ariaLabel: title,
  })
  const panel = element('div', {
    id: 'panel',
    tabIndex: -1,
  })
  drawer.append(panel)
  const failure = element('p', {
    className: 'failure',
    hidden: true,
    role: 'alert',
  })
  // A page's content should be in landmarks, so the button is in one too.
  const corner = element('aside', { ariaLabel: `${title} panel` })
  corner.append(launcher, failure)
  frame.append(corner, drawer)
  root.append(frame)

  // Hides keys that are pressed in the panel from the page.
  for (const type of ['keydown', 'keyup', 'keypress'])
    host.addEventListener(type, (event) => event.stopPropagation())
  ;(document.body ?? document.documentElement).append(host)
  raise(host)
  return {
    host,
    root,
    launcher,
    drawer,
    panel,
    failure,
  }
}

/** Puts it into the top layer, and there on top: the page cannot cover or transform it. */
function raise(host: HTMLElement) {
  // Older browsers have no top layer for it.
  if (!('popover' in host)) return
  host.popover = 'manual'
  if (host.matches(':popover-open')) host.hidePopover()
  host.showPopover()
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  values: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), values)
}

/**
 * The styles of the button and the drawer. `!important` on `:host` wins over the page's rules for
 * the element, and `all: initial` stops inheritance from the page, but for custom properties: what
 * the panel reads, it sets.
 */
const frameStyles = `
:host {
  all: initial !important;
  position: fixed !important;
  inset: 0 auto auto 0 !important;
  z-index: 2147483647 !important;
  display: block !important;
  width: 0 !important;
  height: 0 !important;
  overflow: visible !important;
  direction: ltr !important;
  color-scheme: light dark !important;
}
:host::backdrop { all: initial !important; display: none !important; }
.launcher, .drawer, .failure {
  position: fixed;
  box-sizing: border-box;
  font: 13px / 20px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif;
}
.launcher, .drawer { border: 1px solid light-dark(#8b9690, #6d7a76); }
.launcher, .failure { color: light-dark(#1a211e, #e4eae7); }
.launcher {
  bottom: calc(16px + 44px * var(--place));
  right: 16px;
  height: 36px;
  max-width: calc(100vw - 32px);
  margin: 0;
  padding: 0 12px;
  border-radius: 18px;
  background: light-dark(#ffffff, #1a1f22);
  box-shadow: 0 2px 8px rgb(0 0 0 / 20%);
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  cursor: pointer;
}
.launcher:hover { background: light-dark(#e6f4eb, #1b3226); }
.launcher:focus-visible { outline: 2px solid light-dark(#1e7a45, #62c88c); outline-offset: 2px; }
[hidden] { display: none !important; }
.failure {
  right: 16px;
  bottom: calc(60px + 44px * var(--place));
  max-width: min(360px, calc(100vw - 32px));
  padding: 8px 12px;
  border-radius: 6px;
  background: light-dark(#fdecea, #3a1d1b);
}
.at-left :is(.launcher, .failure) { right: auto; left: 16px; }
.drawer {
  --size-of-drawer: initial;
  background: light-dark(#ffffff, #14181a);
  box-shadow: 0 0 24px rgb(0 0 0 / 28%);
  overflow: hidden;
}
.at-bottom .drawer { inset: auto 0 0; height: clamp(240px, var(--size-of-drawer, 56dvh), 100dvh); border-width: 1px 0 0; }
:is(.at-left, .at-right) .drawer { inset: 0 auto 0 0; width: clamp(min(320px, 100vw), var(--size-of-drawer, 720px), 100vw); border-width: 0 1px 0 0; }
.at-right .drawer { inset: 0 0 0 auto; border-width: 0 0 0 1px; }
.edge { position: absolute; z-index: 30; inset: 0 0 auto; height: 6px; cursor: ns-resize; touch-action: none; }
:is(.at-left, .at-right) .edge { inset: 0 0 0 auto; width: 6px; height: auto; cursor: ew-resize; }
.at-right .edge { inset: 0 auto 0 0; }
.edge:hover, .edge:focus-visible { background: light-dark(#1e7a45, #62c88c); outline: none; }
#panel { container: panel / inline-size; position: relative; height: 100%; }
#panel:focus { outline: none; }
`

/** The side of the drawer; its button is in that corner. */
export type PanelPosition = 'bottom' | 'left' | 'right'

/** The options of `mountPanel`. All of them are optional. */
export interface MountOptions {
  /**
   * The world that the panel shows first: `default` by default. The browser tab remembers the world
   * that you select later.
   */
  world?: string | undefined
  /**
   * True if the drawer is open at once. By default, it is closed at first, and stays as you left it
   * when the page reloads.
   */
  open?: boolean | undefined
  /** The side of the drawer: `bottom` by default. */
  position?: PanelPosition | undefined
  /**
   * The base URL of Area A in this page: plants are at `<plants>/plants`. By default, that of
   * `createHandlers`.
   */
  plants?: string | undefined
  /**
   * The base URL of Area B in this page, with its version. By default, that of `createHandlers`.
   */
  apps?: string | undefined
}

/** The panel in a page. */
export interface MountedPanel {
  /** Opens the drawer. Closes the drawer of another panel in the page. */
  open(): void
  /** Closes the drawer, and moves the focus to its button. A closed panel gets no updates. */
  close(): void
  /** Removes the button and the drawer. */
  unmount(): void
}
