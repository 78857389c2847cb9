import type { View } from '../view.ts'

export default {
  id: 'evidence',
  title: 'Evidence',
  order: 85,
  key: 'e',
  load: () => import('../evidence/index.tsx'),
} satisfies View
