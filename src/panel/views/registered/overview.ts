import type { View } from '../view.ts'

export default {
  id: 'overview',
  title: 'Overview',
  order: 10,
  key: 'o',
  load: () => import('../overview/index.tsx'),
  counts: {
    types: ['problems'],
    of: ({ data }) => (((data as { data?: unknown[] }).data?.length ?? 0) > 0 ? 'failed' : 'changed'),
  },
} satisfies View
