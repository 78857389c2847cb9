import type { ScenarioChoice } from './world-origin.ts'

/** How many a header names at most. */
const most = 32

/** More scenarios are named at once than may be. */
export class TooManyScenariosError extends RangeError {
  override name = 'TooManyScenariosError'
}

/**
 * Reads scenarios as a header or a flag names them: `rate-limited-plan, malformed-plant:field=tag;kind=null`. Options
 * follow a colon, separated by semicolons; their values are read by the scenario's own declarations.
 * @throws TooManyScenariosError for more than 32.
 */
export function toScenarioChoices(text: string): ScenarioChoice[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length > most) throw new TooManyScenariosError(`Failed to use ${parts.length} scenarios: a request names at most ${most}.`)
  return parts.map(toScenarioChoice)
}

/** Reads one: `slow:ms=800`. */
export function toScenarioChoice(text: string): ScenarioChoice {
  const colon = text.indexOf(':')
  if (colon < 0) return text
  const options = text
    .slice(colon + 1)
    .split(';')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => {
      const equals = pair.indexOf('=')
      return equals < 0 ? [pair.trim(), 'true'] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]
    })
  return { name: text.slice(0, colon).trim(), options: Object.fromEntries(options) as Record<string, string> }
}
