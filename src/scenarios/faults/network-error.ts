import { defineFault, loses, noReplySteps } from '../language/effect-kind.ts'

export default defineFault({
  kind: 'network-error',
  description: 'The request fails without a reply, through every adapter.',
  did: 'caused a network error',
  fields: { loses },
  create: (spec) => noReplySteps(spec.loses, 'network-error'),
})
