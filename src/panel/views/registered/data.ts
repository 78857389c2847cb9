import type { ControlEvents } from '../../data/shapes.ts'
import type { View } from '../view.ts'

const data: View = {
  id: 'data',
  title: 'Data',
  order: 40,
  key: 'd',
  load: () => import('../data/index.tsx'),
  counts: {
    types: ['records'],
    of: ({ data: event }) => ((event as ControlEvents['records']).collection === 'keys' ? undefined : 'changed'),
  },
}

export default data
