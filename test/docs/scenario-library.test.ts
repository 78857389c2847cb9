import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { toTable } from './table.ts'

test('docs/scenario-library.md lists every bundled scenario', async () => {
  const rows = createGreenhouse()
    .scenarios()
    .map(({ name, title, covers, acts_on, options }) => [
      `[\`${name}\`](../scenarios/${name}.yaml)`,
      title,
      covers,
      acts_on.join(', '),
      Object.keys(options)
        .map((option) => `\`${option}\``)
        .join(', ') || '–',
    ])
  await expect(`# All scenarios

Switch one on by its name: \`world.use('slow')\`, \`X-Greenhouse-Scenario: slow\`, \`--scenario slow\`.
\`greenhouse-mock scenario show slow\` prints its options with their values and defaults.
\`greenhouse-mock scenario list --search '429 retry'\` searches titles, tags and descriptions.

Looking for an effect rather than a name? See [scenarios by symptom](by-symptom.md). You can also [write your own](scenarios.md).

${toTable(
  ['name', 'title', 'what in a client it exercises', 'acts on', 'options'],
  rows.map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' '))),
)}
`).toMatchFileSnapshot('../../docs/scenario-library.md')
})
