import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { recordOfPath } from '../../declare.ts'
import { appKind, presentApp } from '../present.ts'
import { appChangesSchema, apps, appSchema } from '../schemas.ts'

export const updateApp = declareOperation({
  id: 'apps.update',
  method: 'PATCH',
  path: '/apps/{app_id}',
  title: 'Update an app',
  scope: 'apps:write',
  body: appChangesSchema,
  example: { welcome_message: 'What is growing?' },
  result: appSchema,
  handle(exchange, { params, body }) {
    const app = recordOfPath(exchange, appKind, params)
    const updated = exchange.collection(apps).update(app.id, { ...body, updated_at: exchange.now })
    exchange.emit('app.updated', app.id, presentApp(updated!))
    return { status: 200, body: presentApp(updated!) }
  },
})
