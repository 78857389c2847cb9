import type { View } from '../view.ts'

const docs: View = {
  id: 'docs',
  title: 'Docs',
  order: 90,
  key: 'c',
  load: () => import('../docs/index.tsx'),
}

export default docs
