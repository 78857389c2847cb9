import { expect, test } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'
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
  await expect(`# The scenarios that come along

Switch one on by its name: \`world.use('slow')\`, \`X-Greenhouse-Scenario: slow\`, \`--scenario slow\`. \`greenhouse scenario show
slow\` tells all of it, its options with their values and defaults, and \`greenhouse scenario list --search '429 retry'\` finds
one by its tags and words. How they are written, and how to write your own: [scenarios](scenarios.md).

${toTable(
  ['name', 'title', 'what in a client it exercises', 'acts on', 'options'],
  rows.map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' '))),
)}
`).toMatchFileSnapshot('../../docs/scenario-library.md')
})
