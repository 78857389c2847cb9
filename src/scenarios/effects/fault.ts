import * as z from 'zod/mini'
import { conditions, type Conditions } from '../language/condition.ts'
import { defineItems, type FaultKind } from '../language/effect-kind.ts'
import found from '../faults/*.ts?all'

export const faultKinds = found as readonly FaultKind[]

type Spec = { readonly kind: string } & Conditions

const schemas = faultKinds.map((fault) =>
  z
    .strictObject({ kind: z.literal(fault.kind), ...fault.fields, ...conditions })
    .check(z.describe(fault.description), (context) => {
      const wrong = fault.check?.(context.value)
      if (wrong !== undefined) context.issues.push({ code: 'custom', input: context.value, message: wrong })
    }),
)

export const faultEffect = defineItems<Spec>(
  {
    name: 'fault',
    description: 'Makes sending the reply go wrong: delays, resets, cut bodies.',
    actsOn: 'operations',
    create(spec, { activation, id }) {
      const fault = faultKinds.find(({ kind }) => kind === spec.kind)!
      return { act: fault.act, ...fault.create(spec, activation, id) }
    },
  },
  z.discriminatedUnion('kind', schemas as never) as unknown as z.ZodMiniType<Spec>,
)
