import type { View } from '../view.ts'

const scenarios: View = {
  id: 'scenarios',
  title: 'Scenarios',
  order: 30,
  key: 's',
  load: () => import('../scenarios/index.tsx'),
  counts: { types: ['scenarios'], of: () => 'changed' },
}

export default scenarios
