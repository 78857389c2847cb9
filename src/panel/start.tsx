import { render } from 'preact'
import { listenToKeys } from './components/keys.ts'
import { createPanel, type Panel } from './data/panel.ts'
import { showTheme } from './data/theme.ts'
import type { Transport } from './data/transport.ts'
import { App } from './frame/app.tsx'
import { registerBase } from './frame/base-actions.ts'
import { countChanges } from './frame/counts.ts'
import { views } from './views/index.ts'

/** Draws the panel into an element. @param transport how it reaches its Greenhouse. */
export function startPanel(element: HTMLElement, transport: Transport): Panel {
  const panel = createPanel(transport)
  showTheme(document.documentElement)
  registerBase(panel)
  listenToKeys()
  const counts = countChanges(views, panel.live, panel.router)
  render(<App panel={panel} counts={counts} />, element)
  return panel
}
