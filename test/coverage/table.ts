/** Operation × status as text: `✓` reached, `✗` a hole, `·` no status of the operation. */
export function toTable(
  declared: ReadonlyMap<string, readonly number[]>,
  isReached: (cell: string) => boolean,
): string {
  const columns = [...new Set([...declared.values()].flat())].sort((one, other) => one - other)
  const width = Math.max(...Array.from(declared.keys(), (operation) => operation.length))
  const rows = Array.from(declared, ([operation, statuses]) => {
    const marks = columns.map((status) =>
      !statuses.includes(status) ? '·' : isReached(`${operation} ${status}`) ? '✓' : '✗',
    )
    return `${operation.padEnd(width)}  ${marks.join('   ')}`
  })
  return [`${''.padEnd(width)} ${columns.join(' ')}`, ...rows].join('\n')
}
