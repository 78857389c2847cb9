import type { AssumptionSummary } from '../../data/shapes.ts'

export const sources: readonly {
  readonly id: AssumptionSummary['source']
  readonly title: string
  readonly meaning: string
}[] = [
  { id: 'stated', title: 'Stated', meaning: 'The reference says it.' },
  { id: 'published', title: 'Published', meaning: 'A public description of the same sample interface says it.' },
  { id: 'convention', title: 'Convention', meaning: 'Well-known APIs do it.' },
  { id: 'ours', title: 'Ours', meaning: 'A choice of Greenhouse.' },
]
