import { median, toRatio } from './statistics.mjs'

/** A row that compares what was measured round by round; `missing` says why nothing was. */
export function toRow(figure, ours, theirs, target, unit, missing) {
  if (missing) return { figure, measured: `not measured: ${missing.trim().split('\n')[0]}`, target }
  return {
    figure,
    measured: `${toNumber(median(ours))} : ${toNumber(median(theirs))}${unit}`,
    ratio: toRatio(ours, theirs),
    target,
    rounds: [ours, theirs],
  }
}

/** A row of two servers' rounds, as `measureServers` gives them: replies per second, and processor time a reply. */
export function toServerRow(figure, ours, theirs, target) {
  const rates = [ours, theirs].map((rounds) => rounds.map(({ perSecond }) => perSecond))
  const costs = [ours, theirs].map((rounds) => rounds.map(({ cost }) => cost))
  const row = toRow(figure, ...rates, target, '/s')
  if (costs.flat().some(Number.isNaN)) return { ...row, cost: 'the system does not tell' }
  return {
    ...row,
    cost: `${costs.map((values) => toNumber(median(values))).join(' : ')} µs (${toShort(median(costs[0]) / median(costs[1]))})`,
  }
}

/** A row that could not be measured. */
export const toMissingRow = (figure, error, target) => toRow(figure, [], [], target, '', error.message)

/** A row with a bound of its own, beside nothing. */
export function toBoundRow(figure, values, target, unit) {
  return { figure, measured: `${toNumber(median(values))}${unit}`, value: median(values), target, rounds: [values] }
}

/** A Markdown table of the figures' rows. */
export function toTable(rows) {
  const lines = rows.map((row) => [
    row.figure,
    row.measured,
    toRatioText(row.ratio),
    row.cost ?? '',
    toTargetText(row.target),
    toVerdict(row),
  ])
  const head = ['figure', 'measured', 'ratio (middle half of rounds)', 'processor time a reply', 'target', '']
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((cells) => cells[column].length)))
  const toLine = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  return [toLine(head), toLine(widths.map((width) => '-'.repeat(width))), ...lines.map(toLine)].join('\n')
}

/** Whether the row's ratio, or its value, keeps its target: `ok`, `missed`, or empty where nothing was measured. */
export function toVerdict({ ratio, value, target }) {
  if (value !== undefined && target) {
    const kept = 'below' in target ? value < target.below : value <= target.atMost
    return kept ? 'ok' : 'missed'
  }
  if (!ratio || !target) return ''
  const kept = 'atLeast' in target ? ratio.value >= target.atLeast : ratio.value <= target.atMost
  return kept ? 'ok' : 'missed'
}

function toRatioText(ratio) {
  if (!ratio) return ''
  return `${toShort(ratio.value)} (${toShort(ratio.low)}–${toShort(ratio.high)})`
}

function toTargetText(target) {
  if (!target) return ''
  if ('below' in target) return `< ${toNumber(target.below)}`
  return 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`
}

const toNumber = (number) =>
  number.toLocaleString('en', {
    maximumSignificantDigits: number < 100 ? 3 : undefined,
    maximumFractionDigits: number < 100 ? undefined : 0,
  })

const toShort = (number) => number.toFixed(number < 10 ? 2 : 1)
