import { deleted, deletedStatus } from '../../statuses.ts'
import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { cascade } from '../cascade.ts'
import { ownApp } from '../lookup.ts'
import { presentApp } from '../present.ts'
import { apps } from '../schemas.ts'

export const deleteApp = declareOperation({
  id: 'apps.delete',
  method: 'DELETE',
  path: '/apps/{app_id}',
  title: 'Delete an app',
  source: 'ours',
  scope: 'apps:write',
  statuses: deleted,
  writes: true,
  handle(exchange, { params }) {
    const app = ownApp(exchange, params['app_id']!)
    exchange.collection(apps).delete(app.id)
    cascade(exchange, app)
    exchange.emit('app.deleted', app.id, presentApp(app))
    return { status: deletedStatus(exchange) }
  },
})
