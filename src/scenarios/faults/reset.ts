import { defineFault } from '../fault-kind.ts'
import { loses, noReplySteps } from '../loss.ts'

/** `reset`: resets the connection (TCP RST) instead of sending a reply. */
export default defineFault({
  kind: 'reset',
  description: 'The connection is reset (TCP RST) in place of a reply.',
  act: 'reset the connection',
  fields: { loses },
  create: (spec) => ({ ...noReplySteps(spec.loses, 'reset'), wireFault: 'reset' }),
})
