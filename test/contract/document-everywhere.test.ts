import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { load } from 'js-yaml'
import { serve } from 'greenhouse-mock/server'
import { createOpenApi } from '../../src/contract/document/index.ts'
import { createGreenhouse } from 'greenhouse-mock'
import { run } from '../support/cli.ts'

test('the command prints the document, as JSON or YAML, whole or of one area', async () => {
  const document = await createOpenApi()
  const { code, stdout } = await run(['openapi'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual(document)
  const plants = await run(['openapi', '--area', 'plants', '--format', 'yaml'])
  expect(load(plants.stdout)).toEqual(await createOpenApi({ area: 'plants' }))
})

test('the package has the document of the defaults', async () => {
  const text = readFileSync(new URL('../../dist/openapi.json', import.meta.url), 'utf8')
  expect(JSON.parse(text)).toEqual(await createOpenApi())
})

test('a server has the document of its assumptions, and of those of each world', async () => {
  const greenhouse = createGreenhouse({ assumptions: { 'plants.delete.status': '200' } })
  greenhouse.world('other').assume({ 'plants.list.limit-name': 'per_page' })
  const server = await serve(greenhouse)
  try {
    const ask = async (path: string) => {
      const response = await fetch(`${server.url}/__greenhouse${path}`)
      return { status: response.status, body: (await response.json()) as any }
    }
    const { body } = await ask('/openapi.json')
    expect(body.servers[0].url).toBe(server.url)
    expect(Object.keys(body.paths['/plants/{id}'].delete.responses)).toContain('200')
    const other = await ask('/worlds/other/openapi.json?area=plants')
    expect(other.body.paths['/plants'].get.parameters[0].name).toBe('per_page')
    expect(other.body.paths['/apps']).toBeUndefined()
    expect(await ask('/openapi.json?area=plant')).toMatchObject({ status: 400 })
    expect(await ask('/worlds/none/openapi.json')).toMatchObject({ status: 404 })
  } finally {
    await server.close()
  }
})

test('a misspelt assumption is refused with the one that was meant', async () => {
  const { code, stderr } = await run(['openapi', '--assume', 'plants.delete.unknwn=204'])
  expect(code).toBe(2)
  expect(stderr).toContain('Did you mean "plants.delete.unknown"?')
})
