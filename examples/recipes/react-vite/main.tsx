import { createRoot } from 'react-dom/client'
import { PlantList } from './plant-list.tsx'

// A production build drops this line, and everything that only mock.ts imports.
if (import.meta.env.DEV) await import('./mock.ts')

createRoot(document.querySelector('#root')!).render(<PlantList apiKey="key_pro" />)
