import { createHttpTransport } from './data/http-transport.ts'
import { createHashPlace } from './data/route-place.ts'
import { startPanel } from './start.tsx'

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
