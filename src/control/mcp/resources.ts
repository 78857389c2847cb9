import { readFile } from 'node:fs/promises'
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { quote, suggest } from '../../core/text/messages.ts'
import type { ToolContext } from './tool.ts'

interface Resource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  read(context: ToolContext): Promise<string>
}

const json = 'application/json'

const openApi = (area: 'plants' | 'apps' | 'control', title: string, description: string): Resource => ({
  uri: `greenhouse://openapi/${area}`,
  name: `openapi-${area}`,
  title,
  description,
  mimeType: json,
  read: async ({ call }) => JSON.stringify(await call('GET /openapi.json', { query: { area } })),
})

const all: readonly Resource[] = [
  openApi('plants', 'OpenAPI document of the plants API', 'Every operation, with its id, fields and errors.'),
  openApi('apps', 'OpenAPI document of the apps API', 'Every operation, with its id, fields and errors.'),
  openApi('control', 'OpenAPI document of the control API', 'For scripts and tests that control the mock over HTTP.'),
  {
    uri: 'greenhouse://scenarios',
    name: 'scenarios',
    title: 'All scenarios',
    description: 'Every situation, with all options. list_scenarios searches them.',
    mimeType: json,
    read: async ({ call }) => JSON.stringify(await call('GET /scenarios')),
  },
  {
    uri: 'greenhouse://by-symptom',
    name: 'by-symptom',
    title: 'Scenarios by symptom',
    description: 'What a user sees, and the scenario that causes it.',
    mimeType: 'text/markdown',
    read: readBySymptom,
  },
]

export const resources = all.map(({ read: _, ...resource }) => resource)

export async function readResource(context: ToolContext, uri: string) {
  const found = all.find((resource) => resource.uri === uri)
  if (!found) throw new ResourceNotFoundError(uri)
  return { contents: [{ uri, mimeType: found.mimeType, text: await found.read(context) }] }
}

/** The page stands next to `dist` in the package: one folder above this file, or two in the builds for the command and for CommonJS. */
async function readBySymptom(): Promise<string> {
  for (const folder of ['../docs/', '../../docs/', '../../../docs/'])
    try {
      return await readFile(new URL(`${folder}by-symptom.md`, import.meta.url), 'utf8')
    } catch {
      // It is in another folder, or was bundled without it.
    }
  throw new ProtocolError(ProtocolErrorCode.InternalError, 'The page is not installed here: use list_scenarios.')
}

export const prompts = [
  {
    name: 'reproduce_bug',
    title: 'Reproduce a bug',
    description: 'Turns a bug report into a situation of the mock, a recorded failure and a failing test.',
    arguments: [
      { name: 'report', description: 'What the user saw, in their words', required: true },
      { name: 'world', description: 'The world to use; the default one without it', required: false },
    ],
  },
]

export function getPrompt(name: string, given: Readonly<Record<string, string>>) {
  const [prompt] = prompts
  if (name !== prompt!.name)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no prompt ${quote(name)}.${suggest(name, [prompt!.name])}`,
    )
  const { report, world } = given
  if (!report) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'report: is missing: expected a string')
  const text = `Reproduce this bug with the Greenhouse mock server:

${report}

1. Call status. Point the app at its base URLs, with one of its keys${world ? `, in the world "${world}" (give it to every tool)` : ''}.
2. Call reset_world. Then find the situation: list_scenarios with one or two words of the report. If none fits, make it with keys, change_records, clock or respond.
3. Switch it on, with use_scenario or with the tool you chose.
4. Run the app, or the part of it that the report is about.
5. Call requests. Compare what the app sent and got with what it showed. Call explain_request for what is unclear.
6. Once the bug is visible, check it with assert_requests, call save_case to keep it, and call explain_request with ` as `: it answers a test of the request. Expect of the app in it what the report wants.
7. Say what the app does wrong and where. Call clear_scenarios at the end.`
  return {
    description: prompt!.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  }
}
