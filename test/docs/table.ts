/** Writes a Markdown table. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** The cells of one column of a Markdown text's tables, by the first cell of their row. */
export function columnOf(text: string, name: string): Map<string, string> {
  const cells = new Map<string, string>()
  let at = -1
  for (const line of text.split('\n')) {
    const row = line.startsWith('|')
      ? line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim())
      : []
    if (row.includes(name)) at = row.indexOf(name)
    else if (row.length > 0) cells.set(row[0]!, row[at]!)
  }
  return cells
}
