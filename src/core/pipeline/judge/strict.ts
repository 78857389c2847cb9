import { withoutWorld } from '../../journal/secret-places.ts'
import type { Judge } from '../../journal/violation.ts'
import type { Exchange } from '../exchange.ts'
import { Refusal } from '../refusal.ts'

export function refuseViolations(exchange: Exchange, judge: Judge): void {
  const { request, world, overlay } = exchange
  const { method, path, search, headers, body } = request
  const violations = judge({
    method,
    path,
    search,
    headers,
    body: body?.length === 0 ? null : body,
    assumptions: overlay.assumptions,
    hasSucceeded: false,
    isSecret(text) {
      const secret = withoutWorld(text)
      return world.secretFinders().some((finder) => finder.has(secret))
    },
  })
  if (violations.length === 0) return
  const refusal = new Refusal()
  for (const { rule, message } of violations) refusal.add(() => `${rule}: ${message}`)
  refusal.throwIfAny()
}
