import { defineFault } from '../fault-kind.ts'
import { loses, toLoss } from '../loss.ts'

/** `reset`: the connection is reset (TCP RST) in place of a reply. */
export const resetFault = defineFault({
  kind: 'reset',
  fields: { loses },
  create: (spec) => ({ ...toLoss(spec.loses, 'reset'), wireFault: 'reset' }),
})
