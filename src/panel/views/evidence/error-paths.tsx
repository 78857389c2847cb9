import { CopyButton, Link, Mark, Table, type Column } from '../../components/index.ts'
import type { EvidenceSummary } from '../../data/shapes.ts'

type Coverage = EvidenceSummary['coverage']
type Row = Coverage['operations'][number]

const families = ['ok', 'auth', 'quota', 'validation', 'server', 'slow', 'broken-body', 'broken-wire'] as const

const columns: readonly Column<Row>[] = [
  {
    id: 'operation',
    title: 'Operation',
    cell: ({ operation }) => (
      <Link class="mono" to={{ view: 'docs', rest: [operation] }}>
        {operation}
      </Link>
    ),
  },
  ...families.map((family): Column<Row> => ({
    id: family,
    title: family,
    align: 'end',
    cell: ({ cells }) => {
      const sum = cells[family]
      if (!sum) return ''
      return (
        <span class="row evidence-cell">
          <Mark tone={sum.seen === 0 ? 'plain' : sum.seen === sum.all ? 'good' : 'warning'} />
          {sum.seen}/{sum.all}
        </span>
      )
    },
  })),
]

export function ErrorPaths({ coverage }: { readonly coverage: Coverage }) {
  const { percent, seen, cells, operations, others, next } = coverage
  return (
    <section class="section" aria-label="Error paths">
      <h2>Error paths</h2>
      <p class="muted">
        {percent.toFixed(1)} % seen: {seen} of {cells}.{' '}
        {others.map(({ title, seen, all }) => `${title} ${seen} of ${all}`).join(', ')}
      </p>
      {next.length > 0 && (
        <ul aria-label="Next tests">
          {next.map(({ title, adds, lines }) => (
            <li key={title}>
              <code>{lines['vitest']}</code> <CopyButton text={lines['vitest']!} what={`the line for ${title}`} />{' '}
              <span class="muted">
                {title}: +{adds.length}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Table label="Operations" columns={columns} rows={operations} keyOf={({ operation }) => operation} />
    </section>
  )
}
