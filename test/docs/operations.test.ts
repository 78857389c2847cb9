import { expect, test } from 'vitest'
import { createOpenApi } from '../../src/contract/document/index.ts'
import { createGreenhouse, type AssumptionChoices } from 'greenhouse-mock'
import { toSections } from './operation-sections.ts'

test('docs/operations.md lists every operation as the code has it', async () => {
  const rows = createGreenhouse()
    .operations()
    .map(
      ({ id, method, path, title, scope, source }) =>
        `| \`${id}\` | ${method} | \`${path}\` | ${title} | ${scope === 'any' ? 'any key' : `\`${scope}\``} | ${source} |`,
    )
  await expect(`# Operations

Every operation of both APIs, and the scope that a key needs. *stated*: the reference names the operation. *ours*: the reference names
at most its purpose, and the rest is our choice. \`greenhouse-mock routes\` prints this table.

| id | method | path | | scope | source |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

The rest of this page is the [OpenAPI document](openapi.md) in words. The examples use the default data.

${toSections(await createOpenApi())}`).toMatchFileSnapshot('../../docs/operations.md')
})

test('the document has a field that an assumption adds', async () => {
  const fieldsOf = async (assumptions: AssumptionChoices) => {
    const { paths } = (await createOpenApi({ area: 'plants', assumptions, examples: false })) as any
    return Object.keys(paths['/plants'].get.responses['200'].content['application/json'].schema.items.properties ?? {})
  }
  expect(await fieldsOf({})).toEqual([])
  expect(await fieldsOf({ 'plants.body.includes-id': 'yes' })).toEqual(['name', 'tag', 'id'])
})
