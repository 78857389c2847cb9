import { defineFault } from '../fault-kind.ts'
import { loses, noReplySteps } from '../loss.ts'

/** `timeout`: sends no reply, and leaves the connection open until the client gives up. */
export default defineFault({
  kind: 'timeout',
  description: 'No reply arrives; the connection stays open until the client gives up.',
  act: 'sent no reply',
  fields: { loses },
  create: (spec) => noReplySteps(spec.loses, 'timeout'),
})
