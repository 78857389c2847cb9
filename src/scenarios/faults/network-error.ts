import { defineFault, loses, noReplySteps } from '../language/effect-kind.ts'

/** `network-error`: makes the client's request fail without a reply, through every adapter; the error depends on the host. */
export default defineFault({
  kind: 'network-error',
  description: 'The request fails without a reply, through every adapter.',
  act: 'caused a network error',
  fields: { loses },
  create: (spec) => noReplySteps(spec.loses, 'network-error'),
})
