import { readFileSync } from 'node:fs'
import { expect } from 'vitest'

export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

export const readPage = (name: string) =>
  readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')

/**
 * Asserts that a page has these tables, its first ones. `npm run generate` writes them. @param
 * change changes the page besides
 */
export async function expectTables(
  page: string,
  tables: readonly string[],
  change: (text: string) => string = (text) => text,
): Promise<void> {
  let place = 0
  const written = readPage(page).replace(/^(\|.*\n)+/gm, (table) =>
    tables[place] ? `${tables[place++]}\n` : table,
  )
  expect(place).toBe(tables.length)
  await expect(change(written)).toMatchFileSnapshot(`../../docs/${page}`)
}

/**
 * The cells of one column of a Markdown text's tables, by each line of the first cell of their row.
 */
export function columnOf(text: string, name: string): Map<string, string> {
  const cells = new Map<string, string>()
  let at = -1
  for (const line of text.split('\n')) {
    const row = (/^\|(.*).$/.exec(line)?.[1]?.split('|') ?? []).map((cell) => cell.trim())
    if (row.includes(name)) at = row.indexOf(name)
    else if (row.length > 0) for (const first of row[0]!.split('<br>')) cells.set(first, row[at]!)
  }
  return cells
}
