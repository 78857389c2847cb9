import { toXml } from '../../../core/definitions/xml.ts'
import { toVisible, toVisibleLines } from '../../../core/definitions/visible.ts'
import { countOutcomes, hasFailed, maxOutput, type FlipReport, type FlipResult } from '../result.ts'
import { toLine } from './rows.ts'

export function toFlipJunit(report: FlipReport): string {
  const { breaks, hung, flaky, 'not run': notRun, 'not consulted': notConsulted } = countOutcomes(report)
  const seconds = report.results.reduce((sum, { run }) => sum + (run?.ms ?? 0), 0) / 1_000
  const counts = `tests="${report.results.length}" failures="${breaks + hung + flaky}" errors="0" skipped="${notRun + notConsulted}" time="${seconds.toFixed(3)}"`
  const cases = report.results.map((result) => toCase(result, report.inForce)).join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite name="greenhouse-mock flip" ${counts}>\n${cases}  </testsuite>\n</testsuites>\n`
}

function toCase(result: FlipResult, inForce: FlipReport['inForce']): string {
  const { variant, outcome, run } = result
  const named = `    <testcase classname="${toXml(variant.id)}" name="${toXml(variant.title)}" time="${((run?.ms ?? 0) / 1_000).toFixed(3)}"`
  if (outcome === 'holds') return `${named}/>\n`
  if (!hasFailed(result)) return `${named}><skipped message="${outcome}"/></testcase>\n`
  const message = `${toLine(result)} (in force: ${inForce.get(variant.id)})`
  return `${named}><failure type="${outcome}" message="${toXml(toVisible(message))}">${toXml(toVisibleLines(run!.output.slice(-maxOutput)))}</failure></testcase>\n`
}
