import type { View } from '../view.ts'

export default {
  id: 'docs',
  title: 'Docs',
  order: 90,
  key: 'c',
  load: () => import('../docs/index.tsx'),
} satisfies View
