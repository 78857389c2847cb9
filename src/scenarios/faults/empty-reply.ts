import { defineFault, loses, noReplySteps } from '../language/effect-kind.ts'

export default defineFault({
  kind: 'empty-reply',
  description: 'The connection is closed normally, before a single byte is sent.',
  did: 'closed the connection without a reply',
  fields: { loses },
  create: (spec) => noReplySteps(spec.loses, 'empty-reply'),
})
