/** A requirement of a probe, besides the server of its area. */
export type Need =
  | 'other target'
  | 'writes'
  | 'spending'
  | 'slow'
  | 'receiver'
  | 'rate-limit'
  | 'other-key'
  | 'limited-key'
  | 'expired-key'
