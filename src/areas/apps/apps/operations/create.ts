import { ApiError } from '../../../../core/contract/errors.ts'
import { created, createdStatus } from '../../assumptions.ts'
import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { planOf } from '../../../../core/accounts/accounts.ts'
import { newId } from '../../../../core/time/random.ts'
import { presentApp } from '../present.ts'
import { apps, appSchema, newAppSchema } from '../schemas.ts'

export const createApp = declareOperation({
  id: 'apps.create',
  method: 'POST',
  path: '/apps',
  title: 'Create an app',
  scope: 'apps:write',
  body: newAppSchema,
  example: { name: 'fern-friend', display_name: 'Fern Friend', model: 'gpt-4o', login_required: false },
  result: appSchema,
  statuses: created,
  handle(exchange, { body }) {
    const { account, plan } = exchange.caller!
    const stored = exchange.collection(apps)
    const max = planOf(exchange.world, plan).apps
    if (stored.ownedBy(account.id).size >= max)
      throw new ApiError('insufficient_permissions', `The plan permits ${max} apps.`)
    const app = stored.insert({
      ...body,
      id: newId(stored, exchange.world.random('app'), 'app'),
      account: account.id,
      created_at: exchange.now,
      updated_at: exchange.now,
    })
    exchange.emit('app.created', app.id, presentApp(app))
    return { status: createdStatus(exchange), body: presentApp(app) }
  },
})
