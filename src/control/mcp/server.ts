import { readFile } from 'node:fs/promises'
import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server'
import * as z from 'zod/mini'
import { version } from '../../../package.json'
import { mapStrings, type Texts } from '../../core/text/values.ts'
import { redact } from '../../core/secrets/secrets.ts'
import { quote, suggest } from '../../core/text/messages.ts'
import { check } from '../body.ts'
import type { ControlApi } from '../client/control-api.ts'
import { ClientError } from '../client/errors.ts'
import { ControlError, invalid } from '../call.ts'
import { controlTool } from './action-tools.ts'
import { requestTools } from './request-tools.ts'
import type { Tool, ToolContext } from './tool.ts'
import { scenarioTools, worldTools } from './world-tools.ts'

const tools: readonly Tool[] = [...worldTools, ...scenarioTools, ...requestTools, controlTool]

const instructions =
  'Greenhouse is a local mock of two HTTP APIs, for developing and testing their clients. Begin with the tool status. Nothing here reaches a real service.'

export interface McpServerOptions {
  readonly api: ControlApi
  /** The world of calls that name none. */
  readonly world: string
  /** Replaces secrets in records: everything else has none. By default, what looks like one. */
  readonly hideSecrets?: (text: string) => string
  readonly calls?: Set<Promise<unknown>>
}

/**
 * Returns an MCP server over the client: for one request over HTTP, or for one connection over
 * stdio.
 */
export function createMcpServer({
  api,
  world: defaultWorld,
  hideSecrets = redact,
  calls,
}: McpServerOptions): Server {
  const server = new Server(
    {
      name: 'greenhouse-mock',
      title: 'Greenhouse',
      version,
    },
    {
      capabilities: {
        tools: {},
        resources: {},
        prompts: {},
      },
      instructions,
    },
  )
  const contextOf = (world = defaultWorld): ToolContext => ({
    server: api.server,
    world,
    async call(route, fields, body) {
      const given = route.includes('{world}') ? { ...fields, world } : fields
      assertSegments(route, given)
      const answer = await api.call(route, given as typeof fields, { body })
      // Records alone may hold anything.
      const isOfRecords = route.includes('/records/')
      if (isOfRecords) return mapStrings(answer, (text) => hideSecrets(text)) as typeof answer
      return answer
    },
  })
  server.setRequestHandler('tools/list', () => ({ tools: listed }))
  const call = async ({
    name,
    arguments: given = {},
  }: CallToolRequest['params']): Promise<CallToolResult> => {
    const tool = tools.find((one) => one.name === name)
    if (!tool) {
      const names = tools.map((one) => one.name)
      throw invalidParams(`There is no tool ${quote(name)}.${suggest(name, names)}`)
    }
    try {
      const { world, ...input } = check(tool.input, given) as { readonly world?: string }
      const answer = await tool.run(contextOf(world), input)
      return {
        content: [{ type: 'text', text: JSON.stringify(answer) }],
        structuredContent: { ...answer },
      }
    } catch (error) {
      if (!(error instanceof ClientError || error instanceof ControlError)) throw error
      // A call may quote a secret of a request that it has seen.
      const text = hideSecrets(describeError(error))
      return {
        content: [{ type: 'text', text }],
        isError: true,
      }
    }
  }
  const counted = <T>(called: Promise<T>) => {
    calls?.add(called)
    return called.finally(() => calls?.delete(called))
  }
  server.setRequestHandler('tools/call', ({ params }) => counted(call(params)))
  server.setRequestHandler('resources/list', () => ({ resources }))
  // Some clients ask for them whenever there are resources.
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', ({ params }) =>
    counted(readResource(contextOf(), params.uri)),
  )
  server.setRequestHandler('prompts/list', () => ({ prompts: [prompt] }))
  server.setRequestHandler('prompts/get', ({ params }) =>
    getPrompt(params.name, params.arguments ?? {}),
  )
  return server
}

/**
 * Returns the message of an error with every field that is wrong: an agent mends them all before
 * the next call.
 */
function describeError(error: ClientError | ControlError): string {
  const fields = (error instanceof ClientError ? error.errors : error.fields) ?? []
  if (fields.length < 2) return error.message
  return fields.map(({ path, message }) => `${path}: ${message}`).join('; ')
}

/** A URL would lose these segments, and lead to another route. */
function assertSegments(route: string, fields: object = {}) {
  for (const [name, value] of Object.entries(fields))
    if (route.includes(`{${name}}`) && /^\.{0,2}$/.test(String(value)))
      throw invalid(`There is no ${name} ${quote(String(value))}.`)
}

// Made once, because each request over HTTP gets another server.
const listed = tools.map(toListed)

function toListed({ name, title, description, input, readOnly, destructive }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: toSchema(input),
    annotations: {
      readOnlyHint: readOnly ?? false,
      destructiveHint: destructive ?? false,
      openWorldHint: false,
    },
  }
}

/**
 * Leaves out what says nothing to an agent, which reads each word with every task, and what Gemini
 * or strict clients refuse.
 */
function toSchema(schema: z.ZodMiniType) {
  const { $schema: _, ...shown } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      delete jsonSchema.propertyNames
      delete jsonSchema.additionalProperties
      if (jsonSchema.anyOf) jsonSchema.type = 'string'
      if (jsonSchema.type === 'string') {
        // A value that is given as text has the schema behind the text.
        for (const word of ['anyOf', 'properties', 'required', 'items'] as const)
          delete jsonSchema[word]
      }
      if (jsonSchema.exclusiveMinimum === 0) {
        delete jsonSchema.exclusiveMinimum
        jsonSchema.minimum = 1
      }
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return shown as { type: 'object' }
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

const json = 'application/json'

/** The OpenAPI documents, by area. */
const documents = {
  plants: 'Every operation, with its id, fields and errors.',
  apps: 'Every operation, with its id, fields and errors.',
  control: 'For scripts and tests that control the mock over HTTP.',
}

/** The pages of the documentation. The prompt leads to them, and so does llms.txt. */
const pages = {
  'by-symptom': ['Scenarios by symptom', 'What a user sees, and the scenario that causes it.'],
  stubs: ['Stubs', 'Replies of your own, for one operation or all.'],
  'verifying-calls': ['Verifying calls', 'What a test can expect of requests.'],
  cases: ['Cases', 'A bug in one file, which is replayed and becomes a test.'],
} as const

const all = [
  ...Object.entries(documents).map(([area, description]) => ({
    uri: `greenhouse://openapi/${area}`,
    name: `openapi-${area}`,
    title: `OpenAPI document of the ${area} API`,
    description,
    mimeType: json,
    read: async ({ call }: ToolContext) =>
      JSON.stringify(await call('GET /openapi.json', { area: area as keyof typeof documents })),
  })),
  {
    uri: 'greenhouse://scenarios',
    name: 'scenarios',
    title: 'All scenarios',
    description: 'Every situation, with all options. list_scenarios searches them.',
    mimeType: json,
    read: async ({ call }: ToolContext) => JSON.stringify(await call('GET /scenarios')),
  },
  ...Object.entries(pages).map(([name, [title, description]]) => ({
    uri: `greenhouse://${name}`,
    name,
    title,
    description,
    mimeType: 'text/markdown',
    read: () => readPage(name),
  })),
]

const resources = all.map(({ read: _, ...resource }) => resource)

async function readResource(context: ToolContext, uri: string) {
  const found = all.find((resource) => resource.uri === uri)
  if (!found) throw new ResourceNotFoundError(uri)
  return {
    contents: [
      {
        uri,
        mimeType: found.mimeType,
        text: await found.read(context),
      },
    ],
  }
}

/**
 * The pages stand next to `dist` in the package: one folder above this file, or two in the builds
 * for the command and for CommonJS.
 */
async function readPage(name: string): Promise<string> {
  for (const folder of ['../docs/', '../../docs/', '../../../docs/'])
    try {
      return await readFile(new URL(`${folder}${name}.md`, import.meta.url), 'utf8')
    } catch {
      // It is in another folder, or was bundled without it.
    }
  throw new ProtocolError(
    ProtocolErrorCode.InternalError,
    `The page ${name} is not installed here.`,
  )
}

const prompt = {
  name: 'reproduce_bug',
  title: 'Reproduce a bug',
  description:
    'Turns a bug report into a situation of the mock, a recorded failure and a failing test.',
  arguments: [
    {
      name: 'report',
      description: 'What the user saw, in their words',
      required: true,
    },
    {
      name: 'world',
      description: 'The world to use; the default one without it',
      required: false,
    },
  ],
}

const stepsOfBug = [
  'Call reset_world. Then find the situation: list_scenarios with one or two words of the report, or the page greenhouse://by-symptom. If none fits, make it with keys, change_records, clock or respond (greenhouse://stubs).',
  'Switch it on, with use_scenario or with the tool you chose.',
  'Run the app, or the part of it that the report is about.',
  'Call requests. Compare what the app sent and got with what it showed. Call explain_request for what is unclear.',
  'Once the bug is visible, check it with assert_requests (greenhouse://verifying-calls), call save_case to keep it (greenhouse://cases), and call explain_request with "as", such as vitest, which answers a test of the request. Expect of the app in it what the report wants.',
  'Say what the app does wrong and where. Call clear_scenarios at the end.',
]

function getPrompt(name: string, given: Texts) {
  if (name !== prompt.name)
    throw invalidParams(`There is no prompt ${quote(name)}.${suggest(name, [prompt.name])}`)
  const { report, world } = given
  if (!report) throw invalidParams('report: is missing: expected a string')
  const where = world ? `, in the world "${world}" (give it to every tool)` : ''
  const steps = [
    `Call status. Point the app at its base URLs, with one of its keys${where}.`,
    ...stepsOfBug,
  ]
  const listed = steps.map((step, index) => `${index + 1}. ${step}`).join('\n')
  const text = `Reproduce this bug with the Greenhouse mock server:\n\n${report}\n\n${listed}`
  return {
    description: prompt.description,
    messages: [
      {
        role: 'user' as const,
        content: {
          type: 'text' as const,
          text,
        },
      },
    ],
  }
}
