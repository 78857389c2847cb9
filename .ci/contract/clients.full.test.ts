import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'
import { createOpenApi } from '../../src/contract/document/index.ts'
import { serve } from '../../src/adapters/server.ts'
import { operationsOf } from '../../test/support/operations-of.ts'
import { checkTypes, makeProject, runCommand } from './programs.ts'

const areas = ['plants', 'apps'] as const
const page = readFileSync(new URL('../../docs/generated-clients.md', import.meta.url), 'utf8')

/** The operation to call, with its input. */
interface Call {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly hasQuery: boolean
  readonly body: unknown
}

type Send = (call: Call) => Promise<{ readonly status: number; readonly data: unknown }>

/**
 * Calls the operations of an area. @param own exports of the page's code. @param load imports a
 * generated file.
 */
type Caller = (area: 'plants' | 'apps', own: any, load: (path: string) => Promise<any>) => Send

/** The callers, by heading of the page. */
const callers: Readonly<Record<string, Caller>> = {
  'openapi-fetch': (area, own) => async (call) => {
    const init = { params: { path: call.params }, body: call.body }
    const { data, response } = await own[area][call.method.toUpperCase()](call.path, init)
    return { status: response.status, data }
  },
  'hey-api': (area, _, load) => async (call) => {
    const sdk = await load(`${area}/sdk.gen.ts`)
    const { data, response } = await sdk[toName(call.id)]({ path: call.params, body: call.body })
    return { status: response.status, data }
  },
  orval: (area, _, load) => async (call) => {
    const api = await load(`${area}.ts`)
    const body = call.body === undefined ? [] : [call.body]
    return api[toName(call.id)](
      ...Object.values(call.params),
      ...body,
      ...(call.hasQuery ? [{}] : []),
    )
  },
}

afterEach(() => void vi.unstubAllEnvs())

for (const [name, toSend] of Object.entries(callers))
  test(`a client of ${name}, made as the documentation says, calls every operation of both areas`, async () => {
    const greenhouse = createGreenhouse({ now: '2026-03-01T12:00:00Z' })
    const server = await serve(greenhouse)
    vi.stubEnv('API_KEY', 'key_pro')
    vi.stubEnv('PLANTS_BASE_URL', server.url)
    vi.stubEnv('APPS_BASE_URL', `${server.url}/v1`)
    const folder = makeProject()
    const called: string[] = []
    try {
      await generate(name, folder, server.url)
      const load = (path: string) => import(join(folder, 'src/api', path))
      const own = await load(`${name}.ts`)
      for (const area of areas) {
        const send = toSend(area, own, load)
        for (const { path, method, operation } of operationsOf(await createOpenApi({ area }))) {
          const { operationId: id, parameters = [], requestBody, responses } = operation
          const inPath = parameters.filter((parameter) => parameter.in === 'path')
          const hasQuery = parameters.some((parameter) => parameter.in === 'query')
          const params = Object.fromEntries(
            inPath.map((parameter) => [parameter.name, String(parameter.example)]),
          )
          const body = requestBody?.content['application/json']?.example
          greenhouse.world().reset()
          const { status, data } = await send({ id, method, path, params, hasQuery, body })
          expect([id, String(status)[0]], JSON.stringify(data)).toEqual([id, '2'])
          if (responses[status]!.content) expect(Object.keys(data as object), id).not.toEqual([])
          called.push(id)
          if (id !== 'messages.create') continue
          const stream = await own.streamMessage(
            params['app_id'],
            params['conversation_id'],
            'Hello',
          )
          const events =
            typeof stream === 'string'
              ? stream.split('\n\n')
              : await all(stream as AsyncIterable<unknown>)
          expect(events.length).toBeGreaterThan(3)
        }
      }
      await checkTypes(folder, ['src'])
    } finally {
      await server.close()
    }
    expect(called.sort()).toEqual(
      greenhouse
        .operations()
        .map(({ id }) => id)
        .sort(),
    )
  })

/** Copies the code of a section of the page, and runs the section's commands. */
async function generate(name: string, folder: string, server: string): Promise<void> {
  const part = page.split(/^## /m).find((text) => text.startsWith(`${name}\n`))!
  mkdirSync(join(folder, 'src/api'), { recursive: true })
  for (const area of areas)
    writeFileSync(
      join(folder, `${area}.json`),
      JSON.stringify(await createOpenApi({ area, server })),
    )
  // Those that it shows, and those that it only names.
  for (const [, path] of part.matchAll(/(?:^```ts file=|\]\(\.\.\/)(examples\/.*\.ts)/gm))
    copyFileSync(
      new URL(`../../${path}`, import.meta.url),
      join(folder, path!.endsWith('.config.ts') ? '' : 'src/api', basename(path!)),
    )
  const commands = Array.from(part.matchAll(/^npx (.*)$/gm), ([, command]) => command!)
  expect(commands).not.toEqual([])
  for (const command of commands) await runCommand(command, folder)
}

function toName(id: string): string {
  return id.replace(/\W(\w)/g, (_, letter: string) => letter.toUpperCase())
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
