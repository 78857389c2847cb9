import { createHttpTransport } from './data/http-transport.ts'
import { startPanel } from './start.tsx'

startPanel(document.getElementById('panel')!, createHttpTransport())
