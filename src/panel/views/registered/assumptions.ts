import type { View } from '../view.ts'

export default {
  id: 'assumptions',
  title: 'Assumptions',
  order: 80,
  key: 'u',
  load: () => import('../assumptions/index.tsx'),
  counts: { types: ['assumptions'], of: () => 'changed' },
} satisfies View
