import { declareGet } from '../../declare.ts'
import { findApp } from '../lookup.ts'
import { presentApp } from '../present.ts'
import { appSchema } from '../schemas.ts'

export const getApp = declareGet({
  id: 'apps.get',
  path: '/apps/{app_id}',
  title: 'Get an app',
  scope: 'apps:read',
  result: appSchema,
  read: (exchange, params) => presentApp(findApp(exchange, params)),
})
