import type { View } from '../view.ts'

export default {
  id: 'time',
  title: 'Time',
  order: 70,
  key: 'i',
  load: () => import('../time/index.tsx'),
} satisfies View
