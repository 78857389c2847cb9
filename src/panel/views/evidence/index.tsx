import { CopyButton } from '../../components/controls.tsx'
import { FilterSelect, Link, ViewHead } from '../../components/layout.tsx'
import { type Column, Table } from '../../components/lists.tsx'
import { Badge, Mark, type Tone } from '../../components/marks.tsx'
import { Loaded } from '../../components/states.tsx'
import { toPlural } from '../../components/words.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { EvidenceSummary } from '../../data/shapes.ts'

export default function Evidence() {
  const { control, router, world } = usePanel()
  const name = world.name.value
  const evidence = useResource(
    () => control.call('GET /worlds/{world}/evidence'),
    [name],
    ['request', 'delivery', 'journal-cleared'],
  )
  const { result = '' } = router.route.value.params
  const shown = evidence.value.value
  return (
    <>
      <ViewHead
        title="Evidence"
        actions={shown && <span class="muted">from {toPlural(shown.card.requests, 'request')}</span>}
      >
        <FilterSelect param="result" label="Result" any="Any result" options={['failed', 'passed', 'not exercised']} />
      </ViewHead>
      <Loaded resource={evidence} lines={12}>
        {({ card, coverage }) => (
          <>
            <ReportCardTable card={card} result={result} />
            <ErrorPaths coverage={coverage} />
          </>
        )}
      </Loaded>
    </>
  )
}

type RuleGrade = EvidenceSummary['card']['rules'][number]

const tones: Readonly<Record<RuleGrade['result'], Tone>> = { failed: 'bad', passed: 'good', 'not exercised': 'plain' }

const order = ['failed', 'passed', 'not exercised']

function ReportCardTable({ card, result }: { readonly card: EvidenceSummary['card']; readonly result: string }) {
  const rules = card.rules
    .filter((rule) => result === '' || rule.result === result)
    .toSorted((one, other) => order.indexOf(one.result) - order.indexOf(other.result))
  const columns: readonly Column<RuleGrade>[] = [
    { id: 'result', title: 'Result', cell: ({ result }) => <Badge tone={tones[result]}>{result}</Badge> },
    {
      id: 'rule',
      title: 'The client …',
      cell: ({ rule, title, why }) => (
        <span title={why}>
          <span class="mono">{rule}</span>
          <br />
          <span class="muted">{title}</span>
        </span>
      ),
    },
    { id: 'shown', title: 'Shown by', cell: (rule) => <ShownBy rule={rule} /> },
  ]
  return (
    <section class="section" aria-label="Report card">
      <h2>Report card</h2>
      <Table label="Rules" columns={columns} rows={rules} keyOf={({ rule }) => rule} />
    </section>
  )
}

function ShownBy({ rule: { result, exercise, examples } }: { readonly rule: RuleGrade }) {
  if (result === 'not exercised') return <span class="muted breaks">{exercise}</span>
  return (
    <>
      {examples.slice(0, 2).map(({ message, requests }, index) => (
        <div key={index}>
          {message}{' '}
          {requests.map(({ entry, request, status }, place) => (
            <span key={entry}>
              {place > 0 && ' then '}
              <Link class="mono breaks" to={{ view: 'traffic', rest: [String(entry)] }}>
                {request} {status || 'cut'}
              </Link>
            </span>
          ))}
        </div>
      ))}
    </>
  )
}

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
        <span class="pair">
          <Mark tone={sum.seen === 0 ? 'plain' : sum.seen === sum.all ? 'good' : 'warning'} />
          {sum.seen}/{sum.all}
        </span>
      )
    },
  })),
]

function ErrorPaths({ coverage }: { readonly coverage: Coverage }) {
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
