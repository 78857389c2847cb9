import * as z from 'zod/mini'
import { conditions, type Conditions } from '../condition.ts'
import { defineEffect } from '../effect-kind.ts'
import type { FaultKind } from '../fault-kind.ts'
import { faultActs } from '../faults/acts.ts'
import { badUtf8Fault } from '../faults/bad-utf8.ts'
import { clockSkewFault } from '../faults/clock-skew.ts'
import { delayFault } from '../faults/delay.ts'
import { dripFault } from '../faults/drip.ts'
import { emptyReplyFault } from '../faults/empty-reply.ts'
import { garbageFault } from '../faults/garbage.ts'
import { headersFault } from '../faults/headers.ts'
import { networkErrorFault } from '../faults/network-error.ts'
import { resetFault } from '../faults/reset.ts'
import { staleFault } from '../faults/stale.ts'
import { streamFault } from '../faults/stream.ts'
import { timeoutFault } from '../faults/timeout.ts'
import { truncateFault } from '../faults/truncate.ts'
import { createTrigger } from '../trigger.ts'

/** Every fault, in the order in which they are documented. */
export const faultKinds: readonly FaultKind[] = [
  delayFault,
  timeoutFault,
  networkErrorFault,
  resetFault,
  emptyReplyFault,
  garbageFault,
  truncateFault,
  dripFault,
  streamFault,
  badUtf8Fault,
  headersFault,
  staleFault,
  clockSkewFault,
]

type Spec = { readonly kind: string } & Conditions

const schemas = faultKinds.map((fault) =>
  z.strictObject({ kind: z.literal(fault.kind), ...fault.fields, ...conditions }).check((context) => {
    const wrong = fault.check?.(context.value as never)
    if (wrong !== undefined) context.issues.push({ code: 'custom', input: context.value, message: wrong })
  }),
)

/** `fault`: lets a reply go wrong on its way. */
export const faultEffect = defineEffect<Spec[]>({
  name: 'fault',
  schema: z.array(z.discriminatedUnion('kind', schemas as never)) as unknown as z.ZodMiniType<Spec[]>,
  create: (specs, activation) =>
    specs.map((spec, index) => {
      const id = `fault.${index}`
      const fault = faultKinds.find(({ kind }) => kind === spec.kind)!
      const trigger = {
        ...activation.name(id),
        decide: createTrigger(spec, activation.counter(id), 'operations'),
        act: faultActs[spec.kind],
      }
      const { arrive, ...steps } = fault.create(spec as never, activation, id)
      if (!arrive) return { ...trigger, ...steps }
      return {
        ...trigger,
        ...steps,
        decide(exchange, sender) {
          const decision = trigger.decide(exchange, sender)
          if (decision.due) arrive(exchange)
          return decision
        },
      }
    }),
})
