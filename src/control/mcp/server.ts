import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import * as z from 'zod/mini'
import { version } from '../../../package.json'
import { mapStrings } from '../../api/inspect/collections.ts'
import { redact } from '../../core/secrets/redact.ts'
import { quote, suggest } from '../../core/text/messages.ts'
import { check } from '../body.ts'
import type { ControlApi } from '../client/control-api.ts'
import { ClientError } from '../client/errors.ts'
import { ControlError, invalid } from '../errors.ts'
import { getPrompt, prompts, readResource, resources } from './resources.ts'
import { requestTools } from './request-tools.ts'
import { scenarioTools } from './scenario-tools.ts'
import type { Tool, ToolContext } from './tool.ts'
import { worldTools } from './world-tools.ts'

const tools: readonly Tool[] = [...worldTools, ...scenarioTools, ...requestTools]

const instructions =
  'Greenhouse is a local mock of two HTTP APIs, for developing and testing their clients. Begin with the tool status. Nothing here reaches a real service.'

export interface McpServerOptions {
  readonly api: ControlApi
  /** The world of calls that name none. */
  readonly world: string
  /** Replaces secrets in records: everything else has none. By default, what looks like one. */
  readonly hideSecrets?: ((text: string) => string) | undefined
  /** The calls that are being answered. */
  readonly calls?: Set<Promise<unknown>>
}

/** Returns an MCP server over the client: for one request over HTTP, or for one connection over stdio. */
export function createMcpServer({ api, world: defaultWorld, hideSecrets = redact, calls }: McpServerOptions): Server {
  const server = new Server(
    { name: 'greenhouse-mock', title: 'Greenhouse', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
  )
  const contextOf = (world = defaultWorld): ToolContext => ({
    server: api.server,
    world,
    call(route, options = {}) {
      const path = { ...options.path, world } as typeof options.path
      assertSegments(path)
      return api.call(route, { ...options, path })
    },
  })
  server.setRequestHandler('tools/list', () => ({ tools: listTools() }))
  const call = async ({ name, arguments: given = {} }: CallToolRequest['params']): Promise<CallToolResult> => {
    const tool = findTool(name)
    try {
      const { world, ...input } = check(tool.input, given) as { readonly world?: string }
      const found = await tool.run(contextOf(world), input)
      const answer = tool.showsRecords ? (mapStrings(found, (text) => hideSecrets(text)) as object) : found
      return { content: [toContent(JSON.stringify(answer))], structuredContent: { ...answer } }
    } catch (error) {
      if (!(error instanceof ClientError || error instanceof ControlError)) throw error
      return { content: [toContent(redact(error.message))], isError: true }
    }
  }
  server.setRequestHandler('tools/call', ({ params }) => {
    const called = call(params)
    calls?.add(called)
    return called.finally(() => calls?.delete(called))
  })
  server.setRequestHandler('resources/list', () => ({ resources }))
  // Some clients ask for them whenever there are resources.
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', ({ params }) => readResource(contextOf(), params.uri))
  server.setRequestHandler('prompts/list', () => ({ prompts }))
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments ?? {}))
  return server
}

/** A URL would lose these segments, and lead to another route. */
function assertSegments(path: object = {}): void {
  for (const [name, value] of Object.entries(path))
    if (/^\.{0,2}$/.test(String(value))) throw invalid(`There is no ${name} ${quote(String(value))}.`)
}

let listed: ReturnType<typeof toListed>[] | undefined

/** Made once, because each request over HTTP gets another server. */
function listTools() {
  return (listed ??= tools.map(toListed))
}

function toListed({ name, title, description, input, output, readOnly, destructive }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: toSchema(input, 'input'),
    outputSchema: toSchema(output, 'output'),
    annotations: {
      title,
      readOnlyHint: readOnly ?? false,
      destructiveHint: destructive ?? false,
      openWorldHint: false,
    },
  }
}

/** Leaves out what says nothing to an agent: each word of a schema is read with every task. */
function toSchema(schema: z.ZodMiniType, io: 'input' | 'output') {
  const { $schema: _, ...shown } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      delete jsonSchema.propertyNames
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return shown as { type: 'object' }
}

function findTool(name: string): Tool {
  const tool = tools.find((one) => one.name === name)
  if (tool) return tool
  const names = tools.map((one) => one.name)
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${quote(name)}.${suggest(name, names)}`)
}

function toContent(text: string) {
  return { type: 'text' as const, text }
}
