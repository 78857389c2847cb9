import { Badge, Link, Table, type Column, type Tone } from '../../components/index.ts'
import type { EvidenceSummary } from '../../data/shapes.ts'

type RuleGrade = EvidenceSummary['card']['rules'][number]

const tones: Readonly<Record<RuleGrade['result'], Tone>> = { failed: 'bad', passed: 'good', 'not exercised': 'plain' }

const order = ['failed', 'passed', 'not exercised']

export function ReportCardTable({ card, result }: { readonly card: EvidenceSummary['card']; readonly result: string }) {
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
