import { parseJson } from '../core/http/json.ts'
import { DataError } from '../core/definitions/problem.ts'
import { nextTurn } from '../core/time/system-time.ts'
import { assertCase } from '../greenhouse/case/format.ts'
import { isArchive, toCaseOfArchive } from '../greenhouse/case/har-to-case.ts'
import { CaseStepError, replayInto } from '../greenhouse/case/replay.ts'
import type { Case } from '../greenhouse/case/types.ts'
import { ok, type Answer } from './answer.ts'
import type { OpenedCase } from './answers.ts'
import { check, invalid } from './body.ts'
import type { Call } from './call.ts'
import { openCaseSchema } from './schemas.ts'

/** The most characters of YAML: reading it takes longer than JSON. */
const maxYaml = 2 ** 17

export async function putCase(call: Call): Promise<Answer<OpenedCase>> {
  const { text, file = 'case' } = check(openCaseSchema, call.body)
  const data = await parse(call, text, file)
  return call.change(async (world) => {
    try {
      const { given, leftOut } = toCase(call, data, file)
      const { requests, differences } = await replayInto(given, call.greenhouse, world, nextTurn)
      return ok({ title: given.title ?? null, requests, left_out: leftOut, differences })
    } catch (error) {
      if (error instanceof CaseStepError || error instanceof DataError || error instanceof RangeError)
        throw invalid(error.message)
      throw error
    }
  })
}

async function parse(call: Call, whole: string, file: string): Promise<unknown> {
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
  return call.parseYaml(file, text)
}

function toCase({ greenhouse }: Call, data: unknown, file: string): { given: Case; leftOut: number } {
  if (isArchive(data)) {
    const { keys } = greenhouse.world().records
    const unrestricted = keys.all().find(({ scopes, revoked, expires_at }) => !scopes && !revoked && !expires_at)
    return toCaseOfArchive(
      data,
      file,
      (method, path) => greenhouse.hasOperation(method, path),
      (sent) => (keys.get(sent?.replace(/^Bearer /i, '') ?? '') ? sent! : `Bearer ${unrestricted?.secret ?? 'key'}`),
    )
  }
  assertCase(data, file)
  return { given: data, leftOut: 0 }
}
