import type { Assume } from '../../core/definitions/assumptions.ts'
import type { Area, Operation } from '../../core/pipeline/operation.ts'
import type { Components } from './components.ts'
import type { Example } from './examples.ts'

/** What is needed to describe an operation. */
export interface Described {
  readonly area: Area
  readonly operation: Operation
  readonly assume: Assume
  readonly components: Components
  readonly example?: Example | undefined
}
