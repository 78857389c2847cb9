import { onTestFinished } from 'vitest'
import {
  Client,
  type ClientOptions,
  type JsonSchemaType,
  type JsonSchemaValidator,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { PassThrough } from 'node:stream'
import { start } from './cli.ts'
import { command, withoutOurs } from './process.ts'

export interface Agent {
  readonly client: Client
  /** The structured answer of a tool. @throws what the tool says is wrong */
  use(tool: string, given?: Record<string, unknown>): Promise<any>
  /** The sentence of a tool error. @throws if the tool succeeds */
  fail(tool: string, given?: Record<string, unknown>): Promise<string>
}

/** Connects the SDK's client, like an editor, to a server's `/__greenhouse/mcp`. */
export async function connectOverHttp(
  url: string,
  token?: string,
  options?: ClientOptions,
): Promise<Agent> {
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` }
  return connect(
    new StreamableHTTPClientTransport(new URL(`${url}/__greenhouse/mcp`), {
      requestInit: { headers },
    }),
    options,
  )
}

/** Starts `greenhouse-mock mcp` in a process of its own, and connects to it. */
export async function connectOverStdio(args: readonly string[] = [], options?: ClientOptions) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, 'mcp', ...args],
    env: withoutOurs(process.env) as Record<string, string>,
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr!.on('data', (chunk) => (stderr += chunk))
  return { ...(await connect(transport, options)), transport, printed: () => stderr }
}

/** Runs `greenhouse-mock mcp` in this process, and connects to its stdin and stdout. */
export async function connectInside(args: readonly string[]): Promise<Agent> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  start(['mcp', ...args], { stdin, stdout })
  // Both ends read and write lines alike.
  return connect(new StdioServerTransport(stdout, stdin))
}

/** All clients of a worker compile a schema once: a server has the same for each of them. */
const validator = new AjvJsonSchemaValidator()
const compiled = new Map<string, JsonSchemaValidator<unknown>>()
const jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const text = JSON.stringify(schema)
    const known = compiled.get(text) ?? validator.getValidator(schema)
    compiled.set(text, known)
    return known as JsonSchemaValidator<T>
  },
}

async function connect(
  transport: Parameters<Client['connect']>[0],
  options?: ClientOptions,
): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' }, { jsonSchemaValidator, ...options })
  await client.connect(transport)
  onTestFinished(() => client.close())
  // The client checks each answer against the schema of its tool once it knows all tools.
  await client.listTools()
  const call = async (name: string, given: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: given })
    const [content] = result.content as { text: string }[]
    return { ...result, text: content!.text }
  }
  return {
    client,
    async use(name, given = {}) {
      const { isError, text, structuredContent } = await call(name, given)
      if (isError) throw new Error(text)
      return structuredContent
    },
    async fail(name, given = {}) {
      const { isError, text } = await call(name, given)
      if (!isError) throw new Error(`It answers ${text}`)
      return text
    },
  }
}
