import type { RuleGrade } from '../../../evidence/report-card.ts'
import { CopyCode } from '../../components/controls.tsx'
import { Link } from '../../components/layout.tsx'
import { type Column, Table } from '../../components/lists.tsx'
import { Badge, Mark, type Tone } from '../../components/marks.tsx'
import { Loaded } from '../../components/content.tsx'
import { useAnswer, usePanel } from '../../data/panel.ts'
import type { EvidenceSummary } from '../../data/control.ts'

type OperationCoverage = EvidenceSummary['coverage']['operations'][number]

export default function Report() {
  const { result = '' } = usePanel().router.params
  const evidence = useAnswer('GET /worlds/{world}/evidence', {}, [
    'request',
    'delivery',
    'journal-cleared',
  ])
  return (
    <Loaded resource={evidence}>
      {({ card, coverage: { percent, seen, cells, operations, others, next } }) => (
        <>
          <section class="section" aria-label="Report card">
            <h2>Report card</h2>
            <Table
              label="Rules"
              columns={rules}
              rows={filterRules(card.rules, result)}
              keyOf={({ rule }) => rule}
            />
          </section>
          <section class="section" aria-label="Error paths">
            <h2>Error paths</h2>
            <p class="muted">
              {percent.toFixed(1)} % seen: {seen} of {cells}.{' '}
              {others.map(({ title, seen, all }) => `${title} ${seen} of ${all}`).join(', ')}
            </p>
            <NextTests tests={next} />
            <Table
              label="Operations"
              columns={paths}
              rows={operations}
              keyOf={({ operation }) => operation}
            />
          </section>
        </>
      )}
    </Loaded>
  )
}

function NextTests({ tests }: { tests: EvidenceSummary['coverage']['next'] }) {
  return (
    <ul aria-label="Next tests">
      {tests.map(({ title, adds, lines: { vitest = '' } }) => (
        <li key={title}>
          <CopyCode text={vitest} what={`the line for ${title}`} />{' '}
          <small>
            {title}: +{adds.length}
          </small>
        </li>
      ))}
    </ul>
  )
}

function filterRules(all: readonly RuleGrade[], wanted: string): readonly RuleGrade[] {
  return ['failed', 'passed', 'not exercised']
    .filter((result) => wanted === '' || result === wanted)
    .flatMap((result) => all.filter((rule) => rule.result === result))
}

const rules: readonly Column<RuleGrade>[] = [
  {
    title: 'Result',
    cell: ({ result }) => <Badge text={result} />,
  },
  {
    title: 'The client …',
    cell: ({ rule, title, why }) => (
      <span title={why}>
        <code>{rule}</code>
        <br />
        <small>{title}</small>
      </span>
    ),
  },
  {
    title: 'Shown by',
    cell: ({ result, exercise, examples }) =>
      result === 'not exercised' ? (
        <span class="muted breaks">{exercise}</span>
      ) : (
        examples.slice(0, 2).map(({ message, requests }, index) => (
          <div key={index}>
            {message}{' '}
            {requests.map(({ entry, request, status }, position) => (
              <span key={entry}>
                {position > 0 && ' then '}
                <Link class="mono breaks" to={{ view: 'traffic', rest: [String(entry)] }}>
                  {request} {status || 'cut'}
                </Link>
              </span>
            ))}
          </div>
        ))
      ),
  },
]

const families = [
  'ok',
  'auth',
  'quota',
  'validation',
  'server',
  'slow',
  'broken-body',
  'broken-wire',
] as const

const paths: readonly Column<OperationCoverage>[] = [
  {
    title: 'Operation',
    cell: ({ operation }) => (
      <Link class="mono" to={{ params: { compose: operation } }} text={operation} />
    ),
  },
  ...families.map((family): Column<OperationCoverage> => ({
    title: family,
    align: 'end',
    cell: ({ cells: { [family]: sum } }) =>
      sum && (
        <span class="pair">
          <Mark tone={toneOfShare(sum)} />
          {sum.seen}/{sum.all}
        </span>
      ),
  })),
]

function toneOfShare({ seen, all }: { seen: number; all: number }): Tone {
  if (seen === 0) return 'plain'
  return seen === all ? 'good' : 'warning'
}
