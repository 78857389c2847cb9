import { createHash } from 'node:crypto'

/** What everything that people see has in the place of a secret. */
export const toFingerprint = (secret: string): string =>
  `fp_${createHash('sha256').update(secret).digest('hex').slice(0, 12)}`
