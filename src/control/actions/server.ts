import { targetsOf } from '../../api/options.ts'
import * as z from 'zod/mini'
import { version } from '../../../package.json'
import { areaNames } from '../../areas/event-types.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'
import { toFingerprint } from '../../core/secrets/known-secrets.ts'
import { describeKeys } from '../../catalogue/inspect/accounts.ts'
import type { AssumptionId, OperationSummary } from '../../api/names.ts'
import type { Assumption } from '../../core/contract/assumptions.ts'
import type { World } from '../../api/world.ts'
import { mapFields } from '../../core/text/values.ts'
import { defineAction, type Call } from '../call.ts'
import { eventsQuery, showEvents, controlEvents } from '../events.ts'
import { fileProblems, listOf, named, schemaOf, showProblems } from '../shapes.ts'
import { anyTexts, anyText, described, optional } from '../../core/contract/zod.ts'

export type AssumptionSummary = { readonly id: AssumptionId } & Readonly<Assumption>

const assumption = schemaOf<AssumptionSummary>(
  named('Assumption', {
    id: anyText,
    question: described(anyText, 'The question that the reference leaves open'),
    values: described(anyTexts, 'All possible values; the first one is the default'),
    source: described(anyText, 'The source of the default'),
  }),
)

const operation = schemaOf<OperationSummary>(
  named('Operation', {
    id: anyText,
    method: anyText,
    path: described(anyText, "From the service's root: /v1/apps/{app_id}"),
    title: anyText,
    scope: described(anyText, 'The scope that the key needs'),
    source: described(anyText, 'stated in the reference, published, convention or ours'),
  }),
)

const openApiQuery = z.strictObject({ area: z.optional(z.enum([...areaNames, 'control'])) })
const openApiDocument = schemaOf<object>(described(z.looseObject({}), 'An OpenAPI 3.1 document'))

const namedKey = z.object({
  id: described(anyText, 'Its fingerprint'),
  plan: z.optional(anyText),
  account: anyText,
  note: z.optional(anyText),
})

export const serverActions = [
  defineAction('server.health', 'GET /health', {
    title: 'Check that the server answers',
    commands: 'status',
    description: 'On a server with --token, a call without the token gets only the status.',
    output: z.object({
      status: z.literal('ok'),
      version: anyText,
      worlds: z.int(),
    }),
    run: ({ greenhouse }) => ({
      status: 'ok' as const,
      version,
      worlds: greenhouse.worlds().length,
    }),
  }),
  defineAction('server.start', 'GET /start', {
    title: 'Show base URLs and keys',
    commands: 'status',
    description:
      'What a client needs to begin. Of the keys, only those of plain words are shown, and none in front of a real service.',
    output: z.object({
      version: anyText,
      plants_url: anyText,
      apps_url: anyText,
      areas: anyTexts,
      panel_url: anyText,
      keys: z.record(anyText, namedKey),
      scenarios: anyTexts,
      config: z.optional(anyText),
      scenarios_folder: optional(anyText, 'Where scenarios can be saved'),
      targets: optional(z.record(anyText, anyText), 'The real service that answers, by area'),
    }),
    run({ greenhouse, origin, bases }) {
      const { config, scenarios } = greenhouse.files
      return {
        version,
        plants_url: bases.plants,
        apps_url: bases.apps,
        areas: greenhouse.catalogue.areas.map(({ name }) => name),
        panel_url: `${origin}/__greenhouse/`,
        keys: showKeys(greenhouse),
        scenarios: greenhouse.world('default').scenarios,
        config,
        scenarios_folder: scenarios?.path,
        targets: targetsOf(greenhouse.options),
      }
    },
  }),
  defineAction('server.problems', 'GET /problems', {
    title: 'Show the mistakes in files',
    commands: 'status',
    description:
      "Those in the files of fixtures and scenarios, and a state file that can't be written.",
    output: fileProblems,
    run: ({ greenhouse }) => showProblems(greenhouse),
  }),
  defineAction('server.events', 'GET /events', {
    title: 'Follow everything that changes',
    commands: 'log --follow, for requests',
    description:
      'Server-sent events. `world` and `types` (separated by commas) select some. The first is `start`: what happened before does not come, so read the state after it.',
    input: eventsQuery,
    events: controlEvents,
    output: schemaOf<object>(z.looseObject({})),
    run: (call, query) => showEvents(call, query),
  }),
  defineAction('assumptions.list', 'GET /assumptions', {
    title: 'List all assumptions',
    commands: 'assumptions, without a server',
    description: 'Every question that the reference leaves open, with its possible answers.',
    output: listOf(assumption),
    run: ({ greenhouse }) => ({ data: greenhouse.assumptions() }),
  }),
  defineAction('operations.list', 'GET /operations', {
    title: 'List all operations',
    commands: 'routes, without a server',
    description: 'What the service can be asked, with the scope that each call needs.',
    output: listOf(operation),
    run: ({ greenhouse }) => ({ data: greenhouse.operations() }),
  }),
  defineAction('server.document', 'GET /openapi.json', {
    title: 'Get the OpenAPI document',
    commands: 'openapi, without a server',
    description:
      'Describes both APIs or one, under the assumptions of the world `default`; or of the control API.',
    input: openApiQuery,
    output: openApiDocument,
    run: (call, { area }) => showDocument(call, call.greenhouse.world(), area),
  }),
  defineAction('worlds.document', 'GET /worlds/{world}/openapi.json', {
    title: 'Get the OpenAPI document of a world',
    commands: 'openapi --assume ID=VALUE, without a server',
    description:
      "Describes both APIs or one, under the world's assumptions; or of the control API.",
    input: openApiQuery,
    output: openApiDocument,
    run: (call, { area }) => showDocument(call, call.world, area),
  }),
] as const

async function showDocument(
  { greenhouse, origin: server, actions }: Call,
  { assumptions }: World,
  area: z.infer<typeof openApiQuery>['area'],
): Promise<object> {
  const { catalogue } = greenhouse
  if (area === 'control')
    return (await import('../document.ts')).createControlDocument(actions, { server, catalogue })
  const { createOpenApi } = await import('../../contract/document/index.ts')
  return createOpenApi({
    area,
    assumptions,
    server,
    catalogue,
  })
}

function showKeys(greenhouse: Greenhouse): Readonly<Record<string, z.infer<typeof namedKey>>> {
  const keys = describeKeys(greenhouse.world('default').core, targetsOf(greenhouse.options))
  return mapFields(keys, (key, name) => ({
    id: toFingerprint(name),
    ...key,
  }))
}
