import { defineFault, loses, noReplySteps } from '../language/effect-kind.ts'

export default defineFault({
  kind: 'timeout',
  description: 'No reply arrives; the connection stays open until the client gives up.',
  did: 'sent no reply',
  fields: { loses },
  create: (spec) => noReplySteps(spec.loses, 'timeout'),
})
