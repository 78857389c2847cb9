import type { View } from '../view.ts'

export default {
  id: 'account',
  title: 'Account',
  order: 50,
  key: 'a',
  load: () => import('../account/index.tsx'),
  counts: { types: ['keys'], of: () => 'changed' },
} satisfies View
