import { defineFault } from '../fault-kind.ts'
import { loses, toLoss } from '../loss.ts'

/** `timeout`: no reply ever arrives; the connection stays open until the client gives up. */
export const timeoutFault = defineFault({
  kind: 'timeout',
  fields: { loses },
  create: (spec) => toLoss(spec.loses, 'timeout'),
})
