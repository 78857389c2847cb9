import type { ControlEvents } from '../../data/shapes.ts'
import type { View } from '../view.ts'

export default {
  id: 'data',
  title: 'Data',
  order: 40,
  key: 'd',
  hasLists: true,
  load: () => import('../data/index.tsx'),
  counts: {
    types: ['records'],
    of: ({ data: event }) => ((event as ControlEvents['records']).collection === 'keys' ? undefined : 'changed'),
  },
} satisfies View
