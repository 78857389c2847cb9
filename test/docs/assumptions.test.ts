import { expect, test } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'

test('docs/assumptions.md lists every assumption as the code has it', async () => {
  const rows = createGreenhouse()
    .assumptions()
    .map(
      ({ id, question, values: [standard, ...alternatives], source }) =>
        `| \`${id}\` | ${question} | \`${standard}\` | ${alternatives.map((value) => `\`${value}\``).join(', ') || '–'} | ${source} |`,
    )
  await expect(`# What is assumed

The reference of the two APIs leaves questions open. A mock has to answer them all the same, and a client that depends on
such an answer may break against the real service. So every answer is an assumption with a name: list them with
\`greenhouse assumptions\`, switch one with \`--assume plants.delete.unknown=204\`, \`world.assume(id, value)\` or a scenario.

Where a default comes from: *stated*, the reference says it; *published*, a public description of the same sample
interface says it; *convention*, well-known APIs do it; *ours*, a choice.

| id | question | default | alternatives | source |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`).toMatchFileSnapshot('../../docs/assumptions.md')
})
