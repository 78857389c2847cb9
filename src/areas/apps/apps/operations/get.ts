import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { findApp } from '../lookup.ts'
import { presentApp } from '../present.ts'
import { appSchema } from '../schemas.ts'

export const getApp = declareOperation({
  id: 'apps.get',
  method: 'GET',
  path: '/apps/{app_id}',
  title: 'Get an app',
  scope: 'apps:read',
  result: appSchema,
  handle: (exchange, { params }) => ({ status: 200, body: presentApp(findApp(exchange, params['app_id']!)) }),
})
