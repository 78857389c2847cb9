import { defineOperation } from '../../../core/operation.ts'
import { appAssumptions } from '../assumptions.ts'
import { ownApp } from './own.ts'
import { presentApp } from './present.ts'
import { apps } from './schemas.ts'

export const deleteApp = defineOperation({
  id: 'apps.delete',
  method: 'DELETE',
  path: '/apps/{app_id}',
  title: 'Delete an app',
  source: 'ours',
  scope: 'apps:write',
  writes: true,
  handle(exchange, { params }) {
    const app = ownApp(exchange, params['app_id']!)
    exchange.collection(apps).delete(app.id)
    exchange.emit('app.deleted', app.id, presentApp(app))
    return { status: Number(exchange.assume(appAssumptions, 'apps.delete.status')) }
  },
})
