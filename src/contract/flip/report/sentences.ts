import { countOutcomes, toDependencies, type FlipReport } from '../result.ts'

/** What a flip found out, in sentences. */
export function toSentences(report: FlipReport): string[] {
  const { breaks, hung, holds, 'not run': notRun, 'not consulted': notConsulted } = countOutcomes(report)
  const ran = breaks + hung + holds
  const dependencies = toDependencies(report)
  const depends =
    dependencies.length > 0
      ? `The command depends on ${count(dependencies.length, 'unstated behaviour')}: ${dependencies.join(', ')}.`
      : ran > 0
        ? `The command depends on none of the unstated behaviours that were flipped.`
        : 'Nothing was flipped.'
  return [
    depends,
    `${count(ran, 'variant')} ran: ${breaks} broke the command, ${hung} hung, ${holds} held.`,
    ...(notConsulted > 0
      ? [
          `${count(notConsulted, 'variant')} did not run, since the command never met the question. --all runs them too.`,
        ]
      : []),
    ...(notRun > 0 ? [`${count(notRun, 'variant')} did not run, since it was stopped before.`] : []),
  ]
}

/** `1 variant`, `12 variants`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
