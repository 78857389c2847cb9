import { countOf } from '../../core/definitions/count-of.ts'
import { hasFailed, toLine, toSeconds, type CommandRun, type FlipResult } from '../../contract/flip/index.ts'
import { monotonicNow } from '../../core/time/clock.ts'
import type { Variant } from '../../greenhouse/variants.ts'
import { printError } from './print.ts'
import type { Terminal } from '../terminal.ts'

interface FlipWork {
  readonly variants: readonly Variant[]
  readonly total: number
  readonly parallel: number
  readonly baseline: { readonly run: CommandRun; readonly consulted: ReadonlySet<string> }
}

export function createFlipProgress(terminal: Terminal, { variants, total, parallel, baseline }: FlipWork) {
  const { ms } = baseline.run
  const ids = new Set(variants.map(({ id }) => id))
  const met = [...ids].filter((id) => baseline.consulted.has(id)).length
  printError(
    terminal,
    `It passed in ${toSeconds(ms)} and consulted ${met} of ${countOf(ids.size, 'unstated behaviour')}. ${countOf(total, 'variant')} to run, about ${toSeconds((ms * total) / parallel)}.\n`,
  )
  const width = String(total).length
  const began = monotonicNow()
  return (result: FlipResult, done: number): void => {
    const left = ((monotonicNow() - began) / done) * (total - done)
    const outcomeText = hasFailed(result) ? `${result.outcome}: ${toLine(result)}` : result.outcome
    printError(
      terminal,
      `[${String(done).padStart(width)}/${total}] ${result.variant.title} ${outcomeText}${done < total ? `  (about ${toSeconds(left)} left)` : ''}\n`,
    )
  }
}

export function printFailedBaseline(terminal: Terminal, { output, code }: CommandRun): void {
  printError(terminal, output === '' || output.endsWith('\n') ? output : `${output}\n`)
  printError(
    terminal,
    `The command fails as it is, with exit code ${code}: nothing was flipped. Make it pass with greenhouse-mock run first.\n`,
  )
}
