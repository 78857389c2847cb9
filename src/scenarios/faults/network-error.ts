import { defineFault } from '../fault-kind.ts'
import { loses, toLoss } from '../loss.ts'

/** `network-error`: the client's request fails without a reply, through every adapter; the host decides how. */
export default defineFault({
  kind: 'network-error',
  description: 'The request fails without a reply, through every adapter.',
  act: 'caused a network error',
  fields: { loses },
  create: (spec) => toLoss(spec.loses, 'network-error'),
})
