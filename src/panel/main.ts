import { after } from '../core/time/clock.ts'
import { token } from './data/surface.ts'
import type { RouteStore } from './data/router.ts'
import { startPanel } from './start.tsx'

const start = () =>
  startPanel(
    {
      root: document,
      element: document.getElementById('panel')!,
      themed: document.documentElement,
      route: createHashRoute(),
      setTitle: (title) => void (document.title = title),
    },
    {
      server: location.origin,
      token: () => token.peek(),
      send: (path, init) => fetch(path, init),
    },
  )

// The static frame is painted first; a hidden page is painted later.
if (document.hidden) start()
else requestAnimationFrame(() => after(0, start))

function createHashRoute(): RouteStore {
  return {
    read: () => location.hash,
    write(text, replace) {
      if (replace) history.replaceState(null, '', text)
      else history.pushState(null, '', text)
    },
    watch(listener) {
      addEventListener('hashchange', listener)
      return () => removeEventListener('hashchange', listener)
    },
  }
}
