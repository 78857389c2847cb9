import { expect, test } from 'vitest'
import { createOpenApi } from '../../src/contract/document/index.ts'
import { createGreenhouse } from '../../src/index.ts'
import { toSections } from './operation-sections.ts'

test('docs/operations.md lists every operation as the code has it', async () => {
  const rows = createGreenhouse()
    .operations()
    .map(
      ({ id, method, path, title, scope, source }) =>
        `| \`${id}\` | ${method} | \`${path}\` | ${title} | ${scope === 'any' ? 'any key' : `\`${scope}\``} | ${source} |`,
    )
  await expect(`# Operations

Everything that both APIs can be asked, with the scope that a key needs. *stated*: the reference names the operation;
*ours*: the reference names its purpose at most, and how it looks is a choice. \`greenhouse routes\` prints the same.

| id | method | path | | scope | source |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

What follows is the OpenAPI document in words: \`greenhouse openapi\` prints it, a server has it at
\`/__greenhouse/openapi.json\`, the package as \`greenhouse-mock/openapi.json\`. Examples are of the fixtures that come along.

${toSections(await createOpenApi())}`).toMatchFileSnapshot('../../docs/operations.md')
})
