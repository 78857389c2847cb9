import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import createFetchClient from 'openapi-fetch'
import { expect, test } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'
import { createOpenApi, type OpenApiDocument } from '../../src/contract/document/index.ts'
import { serve } from '../../src/adapters/server.ts'
import { operationsOf } from '../../test/support/operations-of.ts'
import { makeFolder, runProgram } from './programs.ts'

/** What a call needs: the values of the path in its order, the body, and the headers. */
interface Call {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: boolean
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** What came back; `undefined` where a client threw. */
interface Got {
  readonly status: number
  readonly data: unknown
}

type Send = (call: Call) => Promise<Got>

/** Makes a client from the file of a document, and gives what calls its operations. */
type Generate = (area: string, folder: string, document: OpenApiDocument) => Promise<Send>

const openapiFetch: Generate = async (area, folder, document) => {
  await runProgram('openapi-typescript/bin/cli.js', [`${area}.json`, '-o', `${area}.d.ts`], folder)
  const client = createFetchClient<any>({ baseUrl: document.servers[0]!.url }) as any
  return async ({ method, path, params, body, headers }) => {
    const parseAs = isStream(body) ? 'text' : 'json'
    const { data, response } = await client[method.toUpperCase()](path, {
      params: { path: params },
      body,
      headers,
      parseAs,
    })
    return { status: response.status, data }
  }
}

const heyApi: Generate = async (area, folder) => {
  await runProgram('@hey-api/openapi-ts/bin/run.js', ['-i', `${area}.json`, '-o', area], folder)
  const sdk = await import(join(folder, area, 'sdk.gen.ts'))
  return async ({ id, params, body, headers }) => {
    const { data, response } = await sdk[toName(id)]({ path: params, body, headers })
    return { status: response.status, data }
  }
}

const orval: Generate = async (area, folder) => {
  const target = `${area}/index.ts`
  const output = { target, client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } }
  const config = `export default ${JSON.stringify({ api: { input: { target: `./${area}.json` }, output } })}\n`
  writeFileSync(join(folder, `${area}.config.ts`), config)
  await runProgram('orval/dist/bin/orval.js', ['--config', `${area}.config.ts`], folder)
  const api = await import(join(folder, target))
  return async ({ id, params, query, body, headers }) => {
    const inPath = Object.values(params)
    if (isStream(body)) {
      const name = toName(id)
      const url = api[`get${name[0]!.toUpperCase()}${name.slice(1)}Url`](...inPath)
      const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
      const response = await fetch(url, { ...sent, body: JSON.stringify(body) })
      return { status: response.status, data: await response.text() }
    }
    return api[toName(id)](...inPath, ...(body === undefined ? [] : [body]), ...(query ? [{}] : []), { headers })
  }
}

const generators = { 'openapi-fetch': openapiFetch, 'hey-api': heyApi, orval }

for (const [name, generate] of Object.entries(generators))
  test(`a client of ${name} calls every operation of both areas`, async () => {
    const greenhouse = createGreenhouse({ now: '2026-03-01T12:00:00Z' })
    const server = await serve(greenhouse)
    const folder = makeFolder()
    const called: string[] = []
    const wanted: string[] = []
    try {
      for (const area of ['plants', 'apps'] as const) {
        const document = await createOpenApi({ area, server: server.url })
        writeFileSync(join(folder, `${area}.json`), JSON.stringify(document))
        const send = await generate(area, folder, document)
        for (const { path, method, operation } of operationsOf(document)) {
          const { operationId: id, parameters = [], requestBody, responses } = operation
          wanted.push(id)
          const inPath = parameters.filter((parameter) => parameter.in === 'path')
          const call: Call = {
            id,
            method,
            path,
            params: Object.fromEntries(inPath.map((parameter) => [parameter.name, String(parameter.example)])),
            query: parameters.some((parameter) => parameter.in === 'query'),
            body: requestBody?.content['application/json']?.example,
            headers: { authorization: `Bearer key_pro@${id.replace('.', '-')}` },
          }
          const { status, data } = await send(call)
          const { content } = responses[status] ?? {}
          expect([id, String(status)[0]], JSON.stringify(data)).toEqual([id, '2'])
          if (content) expect(Object.keys(data as object), id).not.toEqual([])
          called.push(id)
          if (!Object.values(responses).some((response) => response.content?.['text/event-stream'])) continue
          const streamed = await send({ ...call, body: { ...(call.body as object), stream: true } })
          expect(streamed).toEqual({ status: 200, data: expect.stringContaining('event: message.completed\n') })
        }
      }
      await checkTypes(folder)
    } finally {
      await server.close()
    }
    expect(called).toEqual(wanted)
    expect(called.length).toBeGreaterThan(30)
    console.log(`A client of ${name} called ${called.length} operations.`)
  })

/** Compiles what was generated, in strict mode. */
async function checkTypes(folder: string): Promise<void> {
  const { compilerOptions } = JSON.parse(
    readFileSync(fileURLToPath(new URL('tsconfig.json', import.meta.url)), 'utf8'),
  ) as { compilerOptions: Record<string, unknown> }
  const options = {
    ...compilerOptions,
    typeRoots: [fileURLToPath(new URL('../../node_modules/@types', import.meta.url))],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['**/*.ts'] }))
  await runProgram('typescript/bin/tsc', ['--project', folder], folder).catch((error: { stdout: string }) => {
    throw new Error(`What was generated does not compile:\n${error.stdout}`)
  })
}

function isStream(body: unknown): boolean {
  return (body as { stream?: boolean } | undefined)?.stream === true
}

function toName(id: string): string {
  return id.replace(/\W(\w)/g, (_, letter: string) => letter.toUpperCase())
}
