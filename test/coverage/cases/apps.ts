import type { World } from 'greenhouse-mock'
import { waysOf } from '../refusals.ts'
import { created, deleted, sound, together, when, withBody, type Cases } from '../ways.ts'

function fill({ records }: World) {
  records.apps.replace(
    Array.from({ length: 5 }, (_, index) => ({
      id: `app_${index}`,
      account: 'acct_free',
      name: 'x',
      created_at: 0,
      updated_at: 0,
    })),
  )
}

export const apps: Cases = {
  ...waysOf('apps.list', { 200: [sound('apps.list')] }),
  ...waysOf(
    'apps.create',
    together(created('apps.create'), {
      400: [{}, { name: '' }, { name: 7 }, { name: 'x', login_required: 'yes' }].map((body) =>
        withBody('apps.create', body),
      ),
      403: [when('apps.create', 'more apps than the plan permits', fill, { key: 'key_free' })],
    }),
  ),
  ...waysOf('apps.get', { 200: [sound('apps.get')] }),
  ...waysOf('apps.update', {
    200: [sound('apps.update')],
    400: [{ name: '' }, { model: 7 }].map((body) => withBody('apps.update', body)),
  }),
  ...waysOf('apps.delete', deleted('apps.delete')),
}
