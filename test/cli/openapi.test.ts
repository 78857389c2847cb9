import { expect, test } from 'vitest'
import { load } from 'js-yaml'
import { createOpenApi } from '../../src/contract/document/index.ts'
import { run } from '../support/cli.ts'

test('the command prints the document, as JSON or YAML, whole or of one area', async () => {
  const document = await createOpenApi()
  const { code, stdout } = await run(['openapi'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual(document)
  const plants = await run(['openapi', '--area', 'plants', '--format', 'yaml'])
  expect(load(plants.stdout)).toEqual(await createOpenApi({ area: 'plants' }))
})
