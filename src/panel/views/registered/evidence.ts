import type { View } from '../view.ts'

const evidence: View = {
  id: 'evidence',
  title: 'Evidence',
  order: 85,
  key: 'e',
  load: () => import('../evidence/index.tsx'),
}

export default evidence
