import type { PanelPosition } from './options.ts'
import { frameStyles } from './styles.ts'

const leaf = ['M2.5 13.5C2.5 6 7 2.5 13.5 2.5C13.5 9 10 13 4.5 11.5', 'M2.5 13.5C4 10 6.5 7.5 9.5 6']

/**
 * Adds the button and the drawer to the page, which sees one element, `host`. The panel is drawn into `element`. `raise` puts all
 * of it above everything in the page. @param place the position of the button in its corner, from 0 at the bottom.
 */
export function createFrame(world: string, position: PanelPosition, place: number) {
  const host = document.createElement('greenhouse-panel')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(frameStyles)
  root.adoptedStyleSheets = [sheet]

  const title = world === 'default' ? 'Greenhouse' : `Greenhouse: ${world}`
  const frame = element('div', { className: `at-${position}`, lang: 'en' })
  frame.style.setProperty('--place', String(place))
  const launcher = element('button', { className: 'launcher', type: 'button', title: `Open the panel of ${title}` })
  launcher.setAttribute('aria-haspopup', 'dialog')
  launcher.append(drawLeaf(), element('span', { textContent: title }))
  const drawer = element('section', { className: 'drawer', hidden: true })
  drawer.setAttribute('aria-label', title)
  const panel = element('div', { id: 'panel', tabIndex: -1 })
  drawer.append(panel)
  const failure = element('p', { className: 'failure', hidden: true })
  failure.setAttribute('role', 'alert')
  // A page's content should be in landmarks, so the button is in one too.
  const corner = element('aside', {})
  corner.setAttribute('aria-label', `${title} panel`)
  corner.append(launcher, failure)
  frame.append(corner, drawer)
  root.append(frame)

  // Hides keys that are pressed in the panel from the page.
  for (const type of ['keydown', 'keyup', 'keypress']) host.addEventListener(type, (event) => event.stopPropagation())
  ;(document.body ?? document.documentElement).append(host)
  const raise = () => {
    if (!('popover' in host)) return
    // In the top layer, the page cannot cover or transform it.
    host.popover = 'manual'
    if (host.matches(':popover-open')) host.hidePopover()
    host.showPopover()
  }
  raise()
  return { host, root, launcher, drawer, element: panel, failure, raise }
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  values: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), values)
}

function drawLeaf(): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  for (const line of leaf) {
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
    path.setAttribute('d', line)
    svg.append(path)
  }
  return svg
}
