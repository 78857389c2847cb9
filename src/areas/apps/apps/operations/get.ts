import { declareGetRecord } from '../../declare.ts'
import { appKind } from '../present.ts'

export const getApp = declareGetRecord(appKind, {
  id: 'apps.get',
  path: '/apps/{app_id}',
  title: 'Get an app',
  scope: 'apps:read',
})
