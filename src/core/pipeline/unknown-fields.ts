import type * as z from 'zod/mini'
import { quote } from '../definitions/quote.ts'
import { suggest } from '../definitions/suggest.ts'
import type { ProblemList } from './refusal.ts'
import { stepsTo, toInner, toPathText, type PathStep } from '../store/schema-shape.ts'

export function checkFieldNames(sent: unknown, schema: z.core.$ZodType, refusal: ProblemList, within?: PathStep): void {
  if (typeof sent !== 'object') return
  const { def } = toInner(schema)._zod
  if (def.type === 'array') {
    if (Array.isArray(sent))
      for (let name = 0; name < sent.length; name++) checkFieldNames(sent[name], def.element, refusal, { within, name })
    return
  }
  if (def.type !== 'object' || Array.isArray(sent)) return
  const { shape } = def
  // `for…in` allocates no list of entries: a body may have tens of thousands of fields.
  for (const name in sent) {
    const step = { within, name }
    if (Object.hasOwn(shape, name))
      checkFieldNames((sent as Record<string, unknown>)[name], shape[name]!, refusal, step)
    else refusal.add(() => toProblem(step, Object.keys(shape)))
  }
}

function toProblem(step: PathStep, known: readonly string[]): string {
  const place = toPathText(stepsTo(step))
  const fields = known.map((name) => toPathText(stepsTo({ within: step.within, name })))
  return `${quote(place)} is not a field of this request.${suggest(place, fields)}`
}
