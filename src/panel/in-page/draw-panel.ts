import css from 'panel-styles'
import { type InPageGreenhouse, sendInPage } from '../data/control.ts'
import { keepText } from '../data/surface.ts'
import { startPanel } from '../start.tsx'

interface DrawerOptions {
  greenhouse: InPageGreenhouse
  root: ShadowRoot
  element: HTMLElement
  world: string
  close: () => void
}

export function drawPanel({ greenhouse, root, element, world, close }: DrawerOptions): () => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets.push(sheet)
  const { read, write } = keepText(
    `greenhouse.route:${world}`,
    `#/?world=${encodeURIComponent(world)}`,
  )
  let follow = () => {}
  const watch = (listener: () => void) => {
    follow = listener
    return () => {}
  }
  const followLink = (event: Event) => {
    const link = event.composedPath().find((part) => part instanceof HTMLAnchorElement)
    const target = link?.getAttribute('href')
    if (event.defaultPrevented || !target?.startsWith('#')) return
    // The panel does not change the page's URL.
    event.preventDefault()
    write(target)
    follow()
  }
  for (const type of ['click', 'auxclick']) element.addEventListener(type, followLink)
  const panel = startPanel(
    {
      root,
      element,
      themed: element,
      route: { read, write, watch },
      setTitle: () => {},
      close,
    },
    {
      server: greenhouse.origin,
      fetch: greenhouse.controlFetch,
      send: sendInPage(greenhouse),
    },
  )
  return () => {
    for (const type of ['click', 'auxclick']) element.removeEventListener(type, followLink)
    panel.end()
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet)
  }
}
