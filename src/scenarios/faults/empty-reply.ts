import { defineFault } from '../fault-kind.ts'
import { loses, toLoss } from '../loss.ts'

/** `empty-reply`: the connection is closed in order, and not a byte was sent. */
export const emptyReplyFault = defineFault({
  kind: 'empty-reply',
  fields: { loses },
  create: (spec) => ({ ...toLoss(spec.loses, 'empty-reply'), wireFault: 'empty-reply' }),
})
