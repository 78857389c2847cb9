import { declareListRecords } from '../../declare.ts'
import { appKind } from '../present.ts'

export const listApps = declareListRecords(appKind, {
  id: 'apps.list',
  path: '/apps',
  title: 'List apps',
  source: 'stated',
  scope: 'apps:read',
})
