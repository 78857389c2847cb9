import { type Assume, defineAssumptions } from '../../core/contract/assumptions.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'

export const appAssumptions = defineAssumptions({
  'apps.list.shape': {
    question: 'The shape of a list: an object with data, has_more and next_cursor, or the bare array',
    values: ['data', 'array'],
    source: 'convention',
  },
  'apps.create.status': { question: 'The status of a creation', values: ['201', '200'], source: 'convention' },
  'apps.delete.status': { question: 'The status of a deletion', values: ['204', '200'], source: 'convention' },
  'apps.unknown-fields': {
    question: 'Unknown fields of a body, also in nested objects',
    values: ['ignore', 'reject'],
    source: 'convention',
  },
  'apps.unknown-query': {
    question: 'Unknown query parameters',
    values: ['ignore', 'reject'],
    source: 'convention',
  },
  'apps.text-length': {
    question: 'The longest text that a field of a request may hold, in characters; a longer one is 400',
    values: ['16384', '1000'],
    source: 'ours',
  },
})

type Assuming = Pick<Exchange, 'assume'>

export const createdStatus = (exchange: Assuming) => Number(exchange.assume(appAssumptions, 'apps.create.status'))

export const deletedStatus = (exchange: Assuming) => Number(exchange.assume(appAssumptions, 'apps.delete.status'))

export const created = (assume: Assume) => [createdStatus({ assume })]

export const accepted = () => [202]
