import { toJson } from '../core/http/json.ts'
import type { CaseQuery } from '../greenhouse/case/to-case.ts'
import type { Case } from '../greenhouse/case/types.ts'
import type { World } from '../greenhouse/world.ts'
import type { Part, PartsAnswer } from './answer.ts'
import { check } from './body.ts'
import type { Call } from './call.ts'
import { ControlError } from './errors.ts'
import { caseQuerySchema } from './schemas.ts'

/** The extra work of a step, as if it were this many bytes of text: its secrets are searched for. */
const work = 2_000

export function showCase(call: Call): PartsAnswer<Case> {
  const { title, until } = check(caseQuerySchema, call.query)
  if (until !== undefined && !(Number(until) >= 1 && Number(until) <= call.world.journal.lastId))
    throw new ControlError(404, 'unknown_entry', `The journal of the world "${call.world.name}" has no entry ${until}.`)
  return { parts: toParts(call.world, { title, until: until === undefined ? undefined : Number(until) }) }
}

function* toParts(world: World, query: CaseQuery): Generator<Part> {
  const { head, steps, end } = world.toCaseInSteps(query)
  let before = `${toJson(head).slice(0, -1)},"steps":[`
  for (const step of steps) {
    const text = toJson(step)
    yield [before + text, text.length + work]
    before = ','
  }
  yield [`${before === ',' ? '' : before}]${end ? `,"end":${toJson(end)}` : ''}}`, 0]
}
