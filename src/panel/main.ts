import { after } from '../core/time/clock.ts'
import { createHttpTransport } from './data/http-transport.ts'
import { createHashPlace } from './data/route-place.ts'
import { startPanel } from './start.tsx'

const start = () =>
  startPanel(
    {
      root: document,
      element: document.getElementById('panel')!,
      themed: document.documentElement,
      place: createHashPlace(),
      setTitle: (title) => void (document.title = title),
    },
    createHttpTransport(),
  )

// The static frame is painted first; a hidden page is painted later.
if (document.hidden) start()
else requestAnimationFrame(() => after(0, start))
