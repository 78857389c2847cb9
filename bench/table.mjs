import { median, toRatio } from './statistics.mjs'

/** A row that compares what was measured round by round; `missing` says why nothing was. */
export function toRow(figure, ours, theirs, target, unit, missing) {
  const reason = missing ?? whyNothing([...ours, ...theirs])
  if (reason)
    return {
      figure,
      measured: `not measured: ${firstLine(reason)}`,
      missing: firstLine(reason),
      target,
    }
  return {
    figure,
    measured: `${toNumber(median(ours))} : ${toNumber(median(theirs))}${unit}`,
    ratio: toRatio(ours, theirs),
    target,
    rounds: [ours, theirs],
  }
}

/**
 * A row of two servers' rounds, as `measureServers` gives them: replies per second, and processor
 * time a reply.
 */
export function toServerRow(figure, ours, theirs, target) {
  const rates = [ours, theirs].map((rounds) => rounds.map(({ perSecond }) => perSecond))
  const costs = [ours, theirs].map((rounds) => rounds.map(({ cost }) => cost))
  const row = toRow(figure, ...rates, target, '/s')
  if (costs.flat().some(Number.isNaN)) return { ...row, cost: 'the system does not tell' }
  return {
    ...row,
    cost: `${costs.map((values) => toNumber(median(values))).join(' : ')} µs (${toShort(toRatio(...costs).value)})`,
  }
}

/** A row that could not be measured: the run fails. */
export const toMissingRow = (figure, error, target) =>
  toRow(figure, [], [], target, '', error.message)

/** A row that is left out where a program is not installed that the bench does without. */
export const toSkippedRow = (figure, reason) => ({ figure, measured: `left out: ${reason}` })

/** What could not be measured, in one line; nothing where all was. */
export function toFailure(rows) {
  const missing = rows.filter((row) => row.missing)
  if (missing.length === 0) return undefined
  return `Not measured: ${missing.map((row) => `${row.figure} (${row.missing})`).join('; ')}`
}

/** Why these rounds measured nothing: no round, or one without a figure. */
function whyNothing(values) {
  if (values.length === 0) return 'there was no round'
  const wrong = values.find((value) => !(value > 0 && Number.isFinite(value)))
  return wrong === undefined ? undefined : `a round gave ${wrong}`
}

const firstLine = (text) => text.trim().split('\n')[0]

/** A row with a bound of its own, beside nothing. */
export function toBoundRow(figure, values, target, unit) {
  const reason = whyNothing(values)
  if (reason) return toMissingRow(figure, new Error(reason), target)
  return {
    figure,
    measured: `${toNumber(median(values))}${unit}`,
    value: median(values),
    target,
    rounds: [values],
  }
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
  const head = [
    'figure',
    'measured',
    'ratio (middle half of rounds)',
    'processor time a reply',
    'target',
    '',
  ]
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((cells) => cells[column].length)),
  )
  const toLine = (cells) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  return [
    toLine(head),
    toLine(widths.map((width) => '-'.repeat(width))),
    ...lines.map(toLine),
  ].join('\n')
}

/**
 * Whether the row's ratio, or its value, keeps its target: `ok`, `missed`, or empty where nothing
 * was measured.
 */
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
