import type { View } from '../view.ts'

const time: View = {
  id: 'time',
  title: 'Time',
  order: 70,
  key: 'i',
  load: () => import('../time/index.tsx'),
}

export default time
