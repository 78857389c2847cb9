import type { ControlEvents } from '../../data/shapes.ts'
import type { View } from '../view.ts'

export default {
  id: 'webhooks',
  title: 'Webhooks',
  order: 60,
  key: 'w',
  load: () => import('../webhooks/index.tsx'),
  counts: {
    types: ['delivery'],
    of: ({ data }) => {
      const { attempts, status } = data as ControlEvents['delivery']
      if (status === 'failed') return 'failed'
      return attempts === 0 && status === 'pending' ? undefined : 'changed'
    },
  },
} satisfies View
