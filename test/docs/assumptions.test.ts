import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

test('docs/assumptions.md lists every assumption as the code has it', async () => {
  const rows = createGreenhouse()
    .assumptions()
    .map(
      ({ id, question, values: [standard, ...alternatives], source }) =>
        `| \`${id}\` | ${question} | \`${standard}\` | ${alternatives.map((value) => `\`${value}\``).join(', ') || '–'} | ${source} |`,
    )
  await expect(`# Assumptions

The references of the two APIs leave questions open, and a mock must answer them. A client that depends on such an answer may break
against the real service. So every answer is an assumption with a name, a default and alternatives.

Change one with \`--assume plants.delete.unknown=204\`, \`world.assume('plants.delete.unknown', '204')\` or a scenario.
\`greenhouse-mock assumptions\` lists them, and [\`greenhouse-mock flip\`](flip.md) finds those that your tests depend on.

The source of a default: *stated* in the reference; *published* in a public description of the same sample interface; *convention* of
well-known APIs; *ours*, a choice.

\`plants.create.duplicate-id=replace\` deletes your own plant of that id and adds the new one at the end of the list. An id of another
account's plant is 400.

| id | question | default | alternatives | source |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`).toMatchFileSnapshot('../../docs/assumptions.md')
})
