import type { RequestEvent } from '../../data/shapes.ts'
import type { View } from '../view.ts'

export default {
  id: 'traffic',
  title: 'Traffic',
  order: 20,
  key: 't',
  load: () => import('../traffic/index.tsx'),
  counts: {
    types: ['request'],
    of: ({ data }) => {
      const { pending, response } = data as RequestEvent
      if (pending) return undefined
      return response.status === 0 || response.status >= 500 ? 'failed' : 'changed'
    },
  },
} satisfies View
