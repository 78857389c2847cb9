import { defineFault } from '../fault-kind.ts'
import { loses, toLoss } from '../loss.ts'

/** `empty-reply`: closes the connection normally before the first byte. */
export default defineFault({
  kind: 'empty-reply',
  description: 'The connection is closed normally, before a single byte is sent.',
  act: 'closed the connection without a reply',
  fields: { loses },
  create: (spec) => ({ ...toLoss(spec.loses, 'empty-reply'), wireFault: 'empty-reply' }),
})
