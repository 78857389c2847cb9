import { render } from 'preact'
import { forgetQuestion } from './components/confirm.tsx'
import { keepFocus } from './components/keep-focus.ts'
import { listenToKeys } from './components/keys.ts'
import { watchWidth } from './components/narrow.ts'
import { forgetOffline, forgetUndos } from './components/toast.tsx'
import { createPanel, type Panel } from './data/panel.ts'
import { showSurface, type Surface } from './data/surface.ts'
import { showTheme } from './data/theme.ts'
import type { Transport } from './data/transport.ts'
import { PanelApp } from './frame/app.tsx'
import { registerBase } from './frame/base-actions.ts'
import { countChanges } from './frame/counts.ts'
import { preloadView } from './frame/outlet.tsx'
import { views } from './views/index.ts'

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
  const counts = countChanges(views, panel)
  const draw = () => render(<PanelApp panel={panel} counts={counts} />, element)
  if (close) draw()
  // The page already shows the static frame, so the panel is drawn together with its view.
  else void preloadView(panel).then(draw)
  return panel
}
