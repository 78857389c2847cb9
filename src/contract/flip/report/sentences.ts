import { countOf } from '../../../core/definitions/count-of.ts'
import { countOutcomes, toDependencies, type FlipReport } from '../result.ts'

export function toSentences(report: FlipReport): string[] {
  const { breaks, hung, flaky, holds, 'not run': notRun, 'not consulted': notConsulted } = countOutcomes(report)
  const ran = breaks + hung + flaky + holds
  const dependencies = toDependencies(report)
  const depends = report.baseline.isFlaky
    ? 'The command is flaky: it also failed without any change, so its failures do not show what it depends on. First make it pass every time.'
    : dependencies.length > 0
      ? `The command depends on ${countOf(dependencies.length, 'unstated behaviour')}: ${dependencies.join(', ')}.`
      : holds > 0 && flaky === 0
        ? 'The command depends on none of the unstated behaviours that were flipped.'
        : flaky > 0
          ? 'No unstated behaviour breaks the command every time.'
          : 'Nothing was flipped.'
  return [
    depends,
    `${countOf(ran, 'variant')} ran: ${breaks} broke the command, ${hung} hung, ${flaky > 0 ? `${flaky} failed by chance, ` : ''}${holds} held.`,
    ...(notConsulted > 0
      ? [
          `${countOf(notConsulted, 'variant')} did not run, because the command never consulted their assumptions. --all runs them too.`,
        ]
      : []),
    ...(notRun > 0 ? [`${countOf(notRun, 'variant')} did not run, because the run was stopped first.`] : []),
  ]
}
