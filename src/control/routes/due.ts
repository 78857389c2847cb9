import { ok } from '../answer.ts'
import { listDue, runNext } from '../due.ts'
import { defineRoutes } from '../route.ts'

export const dueRoutes = defineRoutes({
  'GET /worlds/{world}/due': { reads: 'query', handle: ({ world, query }) => ok(listDue(world, query)) },
  'POST /worlds/{world}/due/next': (call) => call.change(async (world) => ok(await runNext(world))),
})
