import { deleted } from '../../statuses.ts'
import { defineOperation } from '../../../../core/pipeline/operation.ts'
import { appAssumptions } from '../../assumptions.ts'
import { cascade } from '../cascade.ts'
import { ownApp } from '../lookup.ts'
import { toAppEvent } from '../events.ts'
import { apps } from '../schemas.ts'

/** Deletes an app and all that is its own. A webhook of the app alone goes along untold; those of the whole account are told. */
export const deleteApp = defineOperation({
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
    exchange.emit('app.deleted', app.id, toAppEvent(app))
    return { status: Number(exchange.assume(appAssumptions, 'apps.delete.status')) }
  },
})
