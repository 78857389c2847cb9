import type { View } from '../view.ts'

const account: View = {
  id: 'account',
  title: 'Account',
  order: 50,
  key: 'a',
  load: () => import('../account/index.tsx'),
  counts: { types: ['keys'], of: () => 'changed' },
}

export default account
