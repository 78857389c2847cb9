import { version } from '../../../package.json'
import { ok } from '../answer.ts'
import { check } from '../body.ts'
import { showEvents } from '../events/index.ts'
import { showOpenApi } from '../openapi.ts'
import { showProblems } from '../problems.ts'
import { defineRoutes } from '../route.ts'
import { scenarioQuerySchema } from '../schemas.ts'
import { showStart } from '../start.ts'

export const generalRoutes = defineRoutes({
  'GET /health': ({ greenhouse }) => ok({ status: 'ok', version, worlds: greenhouse.worlds().length }),
  'GET /scenarios': {
    reads: 'query',
    handle: ({ greenhouse, query }) => ok({ data: greenhouse.scenarios(check(scenarioQuerySchema, query)) }),
  },
  'GET /assumptions': ({ greenhouse }) => ok({ data: greenhouse.assumptions() }),
  'GET /operations': ({ greenhouse }) => ok({ data: greenhouse.operations() }),
  'GET /start': (call) => ok(showStart(call)),
  'GET /problems': ({ greenhouse }) => ok(showProblems(greenhouse)),
  'GET /events': { reads: 'query', handle: (call) => ({ stream: showEvents(call) }) },
  'GET /openapi.json': { reads: 'query', handle: (call) => showOpenApi(call, call.greenhouse.world()) },
})
