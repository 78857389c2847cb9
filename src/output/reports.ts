import { toVisible, toVisibleLines } from '../core/text/messages.ts'
import { toTable } from './table.ts'
import type { Texts } from '../core/text/values.ts'

/** The findings of a command. Every format is written from them. */
export interface CommandReport {
  readonly name: string
  readonly title: string
  /** The last line of a text, instead of the title: a person looks there first. */
  readonly summary?: string
  readonly sections: readonly Section[]
  /** The findings as cases of tests, for CI servers, by the name of their suite. */
  readonly suites: Readonly<Record<string, readonly ReportCase[]>>
  /** The findings as JSON. */
  readonly data: unknown
  /** The text that a terminal gets instead of the sections. */
  readonly text?: string
}

interface Section {
  readonly title?: string
  readonly columns?: readonly string[]
  readonly rows?: readonly (readonly Cell[])[]
  /** More rows, which only a page of HTML has room for. */
  readonly rest?: readonly (readonly Cell[])[]
  readonly notes?: readonly Cell[]
  readonly code?: string
}

/** A part of a text: words, or code, with an explanation for those who point at it. */
export type Span =
  | string
  | {
      readonly code: string
      readonly why?: string
    }

export type Cell = Span | readonly Span[]

/** A finding as a case of a test. */
export interface ReportCase {
  /** The subject of the case: an operation, a rule, a file. */
  readonly owner: string
  readonly name: string
  readonly ms?: number
  readonly failed?: {
    readonly message: string
    readonly type?: string
    readonly text?: string
  }
  /** True if a failure of the case does not fail the run. A CI server sees it as skipped then. */
  readonly isAllowed?: boolean
  /** True if another report has the annotation of the failure. */
  readonly isAnnotatedElsewhere?: boolean
  readonly at?: {
    readonly file: string
    readonly line?: number
    readonly col?: number
  }
  /** Why the case was skipped. */
  readonly skipped?: string
  readonly output?: string
}

export const reportFormats = {
  table: toPlainText,
  json: ({ data }: CommandReport) => JSON.stringify(data, null, 2) + '\n',
  junit: toJunit,
  md: toMarkdown,
} satisfies Record<string, (report: CommandReport, width?: number) => string>

export type ReportFormat = keyof typeof reportFormats

export const reportFormatNames = Object.keys(reportFormats) as ReportFormat[]

/** The files of a report, by how their names end. */
export const reportFiles = {
  json: reportFormats.json,
  md: toMarkdown,
  'junit.xml': toJunit,
}

/** Returns the cases that fail the run. */
export function failuresOf({ suites }: CommandReport): ReportCase[] {
  return Object.values(suites)
    .flat()
    .filter(({ failed, isAllowed }) => failed && !isAllowed)
}

/** How a format writes the parts of a section. */
interface Style {
  /** True if the format has room for the rest of the rows. */
  readonly hasRoomForRest?: boolean
  cell(this: void, cell: Cell): string
  title(title: string): string
  table(columns: readonly string[], rows: readonly string[][]): string
  notes(notes: readonly string[]): string
  code(code: string): string
}

function toBlocks({ sections }: CommandReport, style: Style): string[] {
  return sections.flatMap(
    ({ title, columns = [], rows = [], rest = [], notes = [], code = '' }) => {
      const shown = style.hasRoomForRest ? [...rows, ...rest] : rows
      const cells = shown.map((row) => row.map(style.cell))
      const blocks = [
        cells.length > 0 ? style.table(columns, cells) : '',
        notes.length > 0 ? style.notes(notes.map(style.cell)) : '',
        code === '' ? '' : style.code(code),
      ].filter((block) => block !== '')
      if (title === undefined || blocks.length === 0) return blocks
      return [style.title(title), ...blocks]
    },
  )
}

/** Writes a span of code or words, so that the format does not take it for its own syntax. */
type ToText = (text: string, why?: string) => string

function showCell(cell: Cell, toCode: ToText, toWords: ToText = (words) => words): string {
  const spans = [cell].flat()
  return spans
    .map((span) => {
      if (typeof span === 'string') return toWords(span)
      return toCode(span.code || '""', span.why)
    })
    .join('')
}

export const toPlain = (cell: Cell) => showCell(cell, (code) => code)

const indent = (text: string, by: string) => `${by}${text.replaceAll('\n', `\n${by}`)}\n`

function toPlainText(report: CommandReport, width?: number): string {
  const { text, title, summary } = report
  const blocks = toBlocks(report, {
    cell: toPlain,
    title: (title) => `\n${title}:\n`,
    table: (columns, rows) => toTable([columns.map((name) => name.toUpperCase()), ...rows], width),
    notes: (notes) => notes.map((note) => indent(note, '  ')).join(''),
    code: (code) => indent(code, '    '),
  }).join('')
  return (
    text ?? (summary === undefined ? `${title}\n${blocks}` : `${blocks.trimStart()}\n${summary}\n`)
  )
}

const markdown: Style = {
  cell: (cell) => showCell(cell, toCodeSpan, escapeMarkdown),
  title: (title) => `#### ${escapeMarkdown(title)}\n`,
  table: (columns, rows) =>
    [columns, columns.map(() => '---'), ...rows]
      .map(
        (row) =>
          `| ${row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |\n`,
      )
      .join(''),
  notes: (notes) => notes.map((note) => `- ${note}\n`).join(''),
  code: (code) => fence(toVisibleLines(code), '```', '\n') + '\n',
}

function escapeMarkdown(words: string): string {
  const escaped = toVisibleLines(words).replace(/[\\`*_~[\]<>#&]/g, '\\$&')
  // GitHub takes the entity of an at sign for a mention, too.
  return escaped.replaceAll('|', '&#124;').replaceAll('@', '@&#8203;')
}

function toCodeSpan(code: string): string {
  const shown = toVisible(code)
  return fence(shown, '`', shown.includes('`') ? ' ' : '')
}

/** Puts code between backquotes: one more than the longest run of them in the code. */
function fence(text: string, ticks: string, space: string): string {
  const longest = Math.max(0, ...text.split(/[^`]+/).map(({ length }) => length))
  const ticksAround = '`'.repeat(Math.max(longest + 1, ticks.length))
  return `${ticksAround}${space}${text}${space}${ticksAround}`
}

export function toMarkdown(report: CommandReport): string {
  const { title, summary } = report
  const head = summary === undefined ? [] : [`${escapeMarkdown(summary)}\n`]
  return [`### ${escapeMarkdown(title)}\n`, ...head, ...toBlocks(report, markdown)].join('\n')
}

function toJunit({ name, suites }: CommandReport): string {
  const shownSuites = Object.entries(suites).map(
    ([suite, cases]) => [suite, cases.map(toShownCase)] as const,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    // The schema of Jenkins has no "skipped" here.
    `<testsuites name="greenhouse-mock ${name}" ${toSums(shownSuites.flatMap(([, cases]) => cases)).replace(/ skipped="\d+"/, '')}>`,
    ...shownSuites.flatMap(([suite, cases]) => [
      `  <testsuite name="${suite}" ${toSums(cases)}>`,
      ...cases.map(toTestCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

/** Turns an allowed failure into a skipped case. */
function toShownCase({ failed, isAllowed, ...rest }: ReportCase): ReportCase {
  if (failed && isAllowed)
    return {
      ...rest,
      skipped: `failed: ${failed.message}`,
    }
  return { ...rest, failed }
}

function toSums(cases: readonly ReportCase[]): string {
  const count = (result: 'failed' | 'skipped') =>
    cases.filter((item) => item[result] !== undefined).length
  const ms = cases.reduce((sum, item) => sum + (item.ms ?? 0), 0)
  return `tests="${cases.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}" time="${toJunitSeconds(ms)}"`
}

function toTestCase({ owner, name, ms = 0, failed, skipped, output }: ReportCase): string {
  const head = `    <testcase classname="${toAttribute(owner)}" name="${toAttribute(name)}" time="${toJunitSeconds(ms)}"`
  if (failed) {
    const type = failed.type === undefined ? '' : ` type="${failed.type}"`
    // GitLab shows only the content, Jenkins the message too.
    const text = failed.text || failed.message
    return `${head}><failure${type} message="${toAttribute(failed.message)}">${toXml(text)}</failure></testcase>`
  }
  if (skipped !== undefined)
    return `${head}><skipped message="${toAttribute(skipped)}"/></testcase>`
  if (output === undefined) return `${head}/>`
  return `${head}><system-out>${toXml(output)}</system-out></testcase>`
}

function toJunitSeconds(ms: number): string {
  return (ms / 1_000).toFixed(3)
}

/** Writes an attribute. Readers of XML would make spaces of line feeds and tabs in it. */
function toAttribute(text: string): string {
  return toXml(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
}

/** Writes commands of GitHub Actions, to print as they are: a failed case each, and the summary. */
export function toAnnotations({ name, title, summary = title, suites }: CommandReport): string {
  const lines = Object.values(suites)
    .flat()
    .flatMap(({ owner, name, failed, isAnnotatedElsewhere: isTold, isAllowed, at }) => {
      if (!failed || isTold) return []
      const level = isAllowed ? 'warning' : 'error'
      return toAnnotation(
        level,
        {
          ...at,
          title: owner,
        },
        `${name}: ${failed.message}`,
      )
    })
  return [...lines, toAnnotation('notice', { title: name }, summary)].join('')
}

function toAnnotation(level: string, properties: object, message: string): string {
  const encode = (text: unknown) => toVisible(String(text)).replaceAll('%', '%25')
  const pairs = Object.entries(properties).filter(([, value]) => value !== undefined)
  const shown = pairs.map(
    ([name, value]) => `${name}=${encode(value).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  )
  return `::${level} ${shown.join(',')}::${message.split('\n').map(encode).join('%0A')}\n`
}

const styleSheet = `:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}body{max-width:72rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}th,td{padding:.25rem .6rem;border-bottom:1px solid #8884;text-align:left}
.all{background:#2a92}.some{background:#da24}.none{background:#d443}li{margin:.2rem 0}code{font-family:ui-monospace,monospace}`

/** The classes of cells by their text, such as `✓`, `2/3` and `·`. */
const shades = {
  all: /^✓/,
  some: /^\d+\/\d+$/,
  none: /^(✗|·$)/,
}

const html: Style = {
  hasRoomForRest: true,
  cell: (cell) => showCell(cell, toHtmlCode, toXml),
  title: (title) => `<h2>${toXml(title)}</h2>\n`,
  table: (columns, rows) =>
    `<table>${toHtmlRow('th', columns)}${rows.map((row) => toHtmlRow('td', row)).join('')}</table>\n`,
  notes: (notes) => `<ul>${notes.map((note) => `<li>${note}</li>`).join('\n')}</ul>\n`,
  code: (code) => `<pre>${toXml(code)}</pre>\n`,
}

function toHtmlCode(code: string, why?: string): string {
  const title = why === undefined ? '' : ` title="${toXml(why)}"`
  return `<code${title}>${toXml(code)}</code>`
}

function toHtmlRow(tag: 'th' | 'td', row: readonly string[]): string {
  const shadeOf = (cell: string) =>
    Object.entries(shades).find(([, pattern]) => pattern.test(cell))?.[0] ?? ''
  return `<tr>${row.map((cell) => `<${tag} class="${shadeOf(cell)}">${cell}</${tag}>`).join('')}</tr>\n`
}

export function toHtml(reports: readonly CommandReport[]): string {
  const parts = reports.flatMap((report) => {
    const { title, summary = '' } = report
    return [`<h1>${toXml(title)}</h1>\n<p>${toXml(summary)}</p>\n`, ...toBlocks(report, html)]
  })
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${reports[0]?.name}</title><style>${styleSheet}</style>
<body>${parts.join('')}</body></html>
`
}

const entities: Texts = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

function toXml(text: string): string {
  return toVisibleLines(text)
    .replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
