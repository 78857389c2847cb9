import * as z from 'zod/mini'
import { conditions } from '../language/condition.ts'
import { defineEffect, type FaultKind } from '../language/effect-kind.ts'
import found from '../faults/*.ts?all'

export const faultKinds = found as readonly FaultKind[]

const byKind = new Map(faultKinds.map((fault) => [fault.kind, fault]))

const shapes = faultKinds.map(({ kind, description, fields }) =>
  z
    .strictObject({
      kind: z.literal(kind),
      ...fields,
      ...conditions,
    })
    .check(z.describe(description)),
)

export const faultEffect = defineEffect(
  {
    name: 'fault',
    description: 'Makes sending the reply go wrong: delays, resets, cut bodies.',
    actsOn: 'operations',
    fields: { kind: z.string() },
    check: (spec) => byKind.get(spec.kind)?.check?.(spec),
    create(spec, { activation, id }) {
      const fault = byKind.get(spec.kind)!
      return {
        did: fault.did,
        ...fault.create(spec, activation, id),
      }
    },
  },
  z.discriminatedUnion('kind', shapes as never),
)
