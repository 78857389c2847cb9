import { ApiError } from '../../../../core/contract/errors.ts'
import { planOf } from '../../../../core/accounts/accounts.ts'
import { declareCreate, insertRecord } from '../../declare.ts'
import { appKind, presentApp } from '../present.ts'
import { apps, appSchema, newAppSchema } from '../schemas.ts'

export const createApp = declareCreate({
  id: 'apps.create',
  path: '/apps',
  title: 'Create an app',
  scope: 'apps:write',
  body: newAppSchema,
  example: { name: 'fern-friend', display_name: 'Fern Friend', model: 'gpt-4o', login_required: false },
  result: appSchema,
  create(exchange, { body }) {
    const { account, plan } = exchange.caller!
    const max = planOf(exchange.world, plan).apps
    if (exchange.collection(apps).ownedBy(account.id).size >= max)
      throw new ApiError('insufficient_permissions', `The plan permits ${max} apps.`)
    const app = insertRecord(exchange, appKind, { ...body, updated_at: exchange.now })
    exchange.emit('app.created', app.id, presentApp(app))
    return presentApp(app)
  },
})
