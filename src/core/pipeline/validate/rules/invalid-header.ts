import { longestIdempotencyKey } from '../../perform.ts'
import type { ValidationRule } from '../judged.ts'

export const invalidHeaderRule: ValidationRule = {
  id: 'invalid-header',
  about: 'headers',
  finds: 'a header with an invalid value: an `Idempotency-Key` that is too long or empty',
  check(checked, problems) {
    const { operation, area, request } = checked
    if (!operation?.writes || !area.hasIdempotencyKeys || request.method !== 'POST') return
    const key = checked.header('idempotency-key')
    if (key === '') problems.add(() => 'Idempotency-Key is empty: it is ignored.')
    if (key !== undefined && key.length > longestIdempotencyKey)
      problems.add(() => `Idempotency-Key must have at most ${longestIdempotencyKey} characters.`)
  },
}
