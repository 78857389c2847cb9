import * as z from 'zod/mini'
import { DataError } from '../../core/contract/problem.ts'
import { valueAt } from '../../core/text/values.ts'
import { parseJson } from '../../core/http/json.ts'
import { nextTurn } from '../../core/time/system-time.ts'
import { type ArchivedCase, toCaseOfArchive } from '../../replay/archive.ts'
import { assertCase, caseSchema } from '../../cases/format.ts'
import type { Coverage, sumCells } from '../../evidence/coverage.ts'
import type { ReportCard } from '../../evidence/report-card.ts'
import { type CaseDifference, CaseStepError, replayInto } from '../../replay/replay.ts'
import { caseTitle } from '../../api/world-arguments.ts'
import { type Call, defineAction, invalid, notFound } from '../call.ts'
import { countParameter, named, schemaOf } from '../shapes.ts'
import { anyInteger, anyText, described, optional } from '../../core/contract/zod.ts'

const difference = schemaOf<CaseDifference>(
  named('Difference', {
    step: described(anyInteger, 'The number of the step; the first is 1'),
    request: anyText,
    field: described(anyText, 'status, headers.Retry-After, body.data.0.name'),
    expected: z.optional(anyText),
    actual: z.optional(anyText),
  }),
)

const rule = z.looseObject({
  rule: anyText,
  title: anyText,
  result: anyText,
})

export interface ShownEvidence {
  readonly card: ReportCard
  readonly coverage: Omit<Coverage, 'counts'> & ReturnType<typeof sumCells>
}

const evidence = schemaOf<ShownEvidence>(
  z.object({
    card: z.object({
      requests: anyInteger,
      rules: described(z.array(rule), 'Each with the requests that show it'),
    }),
    coverage: z.looseObject({
      cells: anyInteger,
      seen: anyInteger,
      percent: z.number(),
      next: described(z.array(z.looseObject({ title: anyText })), 'The tests that add most'),
    }),
  }),
)

export const caseActions = [
  defineAction('cases.save', 'GET /worlds/{world}/case', {
    title: 'Save the world as a case',
    commands: 'case save FILE',
    description:
      'Where it started, what was asked and done, and what it replied; up to the request with the id `until`. Keys are placeholders.',
    input: z.strictObject({
      title: optional(caseTitle, 'What it shows: "An expired key gives an empty page"'),
      until: optional(countParameter(), 'Only up to the request with this id'),
    }),
    output: caseSchema,
    run({ world, journal }, { title, until }) {
      if (until !== undefined && !(until >= 1 && until <= journal.lastId))
        throw notFound('entry', `The journal of the world "${world.name}" has no entry ${until}.`)
      return world.writeCase({ title, until })
    },
  }),
  defineAction('cases.open', 'PUT /worlds/{world}/case', {
    title: 'Open a case or a HAR file',
    commands: 'serve --case FILE',
    description:
      'Starts the world again with a case, or with the requests of an HTTP Archive, and repeats them. Requests of an archive to other services, and those that cannot be repeated, are left out. If the file or a step is wrong, the world is as it was.',
    destructive: true,
    input: z.strictObject({
      text: anyText,
      file: z.optional(anyText),
    }),
    output: z.object({
      title: z.nullable(anyText),
      requests: anyInteger,
      left_out: described(anyInteger, 'How many requests of an archive were left out'),
      left_out_because: z.array(
        z.object({
          reason: anyText,
          requests: anyInteger,
        }),
      ),
      differences: z.array(difference),
    }),
    async run(call, { text, file = 'case' }) {
      try {
        const { given, leftOut } = readCaseData(call, await parseCaseFile(call, text, file), file)
        const { requests, differences } = await replayInto(
          given,
          call.greenhouse,
          call.world,
          nextTurn,
        )
        const left = leftOut.reduce((sum, { requests: some }) => sum + some, 0)
        const title = given.title ?? null
        return {
          title,
          requests,
          left_out: left,
          left_out_because: [...leftOut],
          differences,
        }
      } catch (error) {
        if (
          error instanceof CaseStepError ||
          error instanceof DataError ||
          error instanceof RangeError
        )
          throw invalid(error.message)
        throw error
      }
    },
  }),
  defineAction('evidence.read', 'GET /worlds/{world}/evidence', {
    title: 'Show the report card and coverage',
    commands: 'run --artifacts, for all worlds of a run',
    description:
      'How the client behaved in the requests of the journal, and which error paths it has seen.',
    output: evidence,
    async run({ greenhouse, world }) {
      const { coverageOf, readEvidence } = await import('../../evidence/collect.ts')
      const { sumCells: sum } = await import('../../evidence/coverage.ts')
      const read = readEvidence([world])
      const { counts, ...coverage } = coverageOf(read, greenhouse)
      return {
        card: read.card,
        coverage: { ...coverage, ...sum(counts) },
      }
    },
  }),
] as const

/** The most characters of YAML: reading it takes longer than JSON. */
const maxYaml = 2 ** 17

async function parseCaseFile(call: Call, whole: string, file: string): Promise<unknown> {
  // Editors on Windows write a byte order mark.
  const text = whole.replace(/^\ufeff/, '')
  if (/^\s*[{[]/.test(text)) {
    try {
      return parseJson(text)
    } catch (error) {
      throw invalid(`${file} is not JSON: ${(error as Error).message}`)
    }
  }
  if (text.length > maxYaml)
    throw invalid(
      `${file} has more than ${maxYaml} characters of YAML. Open it with: greenhouse-mock serve --case ${file}`,
    )
  const { data, problems } = await call.readYaml(file, text)
  if (problems.length > 0) throw new DataError(file, problems)
  return data
}

function readCaseData({ greenhouse }: Call, data: unknown, file: string): ArchivedCase {
  if (Array.isArray(valueAt(data, ['log', 'entries'])))
    return toCaseOfArchive(data, file, greenhouse)
  assertCase(data, file)
  return {
    given: data,
    leftOut: [],
  }
}
