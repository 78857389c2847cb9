import type { View } from '../view.ts'

export default {
  id: 'scenarios',
  title: 'Scenarios',
  order: 30,
  key: 's',
  load: () => import('../scenarios/index.tsx'),
  counts: { types: ['scenarios'], of: () => 'changed' },
} satisfies View
