import { defineFault, loses, noReplySteps } from '../language/effect-kind.ts'

export default defineFault({
  kind: 'reset',
  description: 'The connection is reset (TCP RST) in place of a reply.',
  did: 'reset the connection',
  fields: { loses },
  create: (spec) => noReplySteps(spec.loses, 'reset'),
})
