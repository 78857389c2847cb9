import { changeAccount, readAccount, listAccounts, refillAccount } from '../accounts.ts'
import { ok } from '../answer.ts'
import { defineRoutes } from '../route.ts'

export const accountRoutes = defineRoutes({
  'GET /worlds/{world}/accounts': listAccounts,
  'GET /worlds/{world}/accounts/{id}': (call) => ok(readAccount(call.world, call.param('id'))),
  'PATCH /worlds/{world}/accounts/{id}': {
    reads: 'body',
    handle: (call) => call.change((world) => ok(changeAccount(world, call))),
  },
  'POST /worlds/{world}/accounts/{id}/refill': {
    reads: 'body',
    handle: (call) => call.change((world) => ok(refillAccount(world, call.param('id'), call.body))),
  },
})
