import type { View } from '../view.ts'

const assumptions: View = {
  id: 'assumptions',
  title: 'Assumptions',
  order: 80,
  key: 'u',
  load: () => import('../assumptions/index.tsx'),
  counts: { types: ['assumptions'], of: () => 'changed' },
}

export default assumptions
