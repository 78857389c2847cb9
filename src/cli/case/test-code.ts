import { toStringLiteral } from '../../core/definitions/quote.ts'
import { toJson } from '../../core/http/json.ts'
import { toBodyText } from '../../greenhouse/case/content.ts'
import type { Case, CaseStep } from '../../greenhouse/case/types.ts'
import { UsageError } from '../errors.ts'
import type { TestRunner } from '../flags/values.ts'

/** The differences between test runners. */
interface RunnerCode {
  readonly imports: string
  /** Whether its tests are CommonJS by default. */
  readonly requires?: true
  equal(actual: string, expected: string): string
  rejects(promise: string): string
}

const ofExpect = {
  equal: (actual: string, expected: string) => `expect(${actual}).toEqual(${expected})`,
  rejects: (promise: string) => `await expect(${promise}).rejects.toThrow()`,
}

const runners: Readonly<Record<TestRunner, RunnerCode>> = {
  vitest: { imports: "import { expect, test } from 'vitest'", ...ofExpect },
  jest: { imports: '', requires: true, ...ofExpect },
  playwright: { imports: "import { expect, test } from '@playwright/test'", ...ofExpect },
  node: {
    imports: "import assert from 'node:assert/strict'\nimport { test } from 'node:test'",
    equal: (actual, expected) => `assert.deepEqual(${actual}, ${expected})`,
    rejects: (promise) => `await assert.rejects(${promise})`,
  },
}

const compared = /^(retry-after|x-ratelimit-.*|location|allow|content-type|idempotent-replayed)$/i

/** Headers of a request that `fetch` sets itself. */
const ofFetch =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|user-agent|accept-language|sec-.*)$/i

/**
 * Writes a test that goes to the moment before the last request of a case, sends that request, and compares the reply.
 * @param file the path of the case in the test. @throws UsageError for a case without a request, or one that can't be replayed.
 */
export function toTestCode(given: Case, file: string, runner: TestRunner, additions: readonly string[] = []): string {
  const { steps = [], world = 'default', title, incomplete } = given
  if (incomplete !== undefined) throw new UsageError(`${file} can't be replayed: ${incomplete}.`)
  const index = steps.findLastIndex(({ request }) => request !== undefined)
  const step = steps[index]
  if (!step) throw new UsageError(`${file} has no request: there is nothing to test.`)
  const code = runners[runner]
  const [method, ...target] = step.request!.split(' ')
  const headers = Object.fromEntries(Object.entries(step.headers ?? {}).filter(([name]) => !ofFetch.test(name)))
  const options = [
    `method: ${toStringLiteral(method!)},`,
    `headers: ${toCode({ ...headers, 'x-greenhouse-world': world })},`,
    ...bodyOf(step),
    'signal: AbortSignal.timeout(2_000),',
  ]
  const name = title ?? `${step.request} is answered with ${step.reply?.status || 'no reply'}`
  const path = target.join(' ')
  const send = `fetch(server.url + ${toStringLiteral(path)}, {\n${options.map((line) => `      ${line}\n`).join('')}    })`
  const body =
    step.reply?.status === 0
      ? [code.rejects(send)]
      : [`const reply = await ${send}`, ...expectations(step, (actual, expected) => code.equal(actual, expected))]
  const load = (names: string, entry: string) =>
    code.requires ? `const { ${names} } = require('${entry}')` : `import { ${names} } from '${entry}'`
  const imports = [
    ...(code.imports === '' ? [] : [code.imports]),
    load('replayCase', 'greenhouse-mock/case'),
    load(additions.length > 0 ? 'loadCase, loadConfig' : 'loadCase', 'greenhouse-mock/node'),
    load('serve', 'greenhouse-mock/server'),
  ]
  return `${imports.join('\n')}

test(${toStringLiteral(name)}, async () => {
${
  additions.length > 0
    ? `  const { ${additions.join(', ')} } = (await loadConfig()).greenhouse
`
    : ''
}  // The moment before the last request.
  const { greenhouse } = await replayCase(loadCase(${toStringLiteral(file)}), { ${[`before: ${index + 1}`, ...additions].join(', ')} })
  const server = await serve(greenhouse)
  try {
    // Put your client here, with ${world === 'default' ? 'server.url' : `server.url + '/~${world}'`}.
${body.map((line) => `    ${line}\n`).join('')}  } finally {
    await server.close()
    greenhouse.close()
  }
})
`
}

function bodyOf(step: CaseStep): string[] {
  if (step.body !== undefined) return [`body: JSON.stringify(${toCode(step.body)}),`]
  const text = toBodyText(step)
  return text === undefined ? [] : [`body: ${toStringLiteral(text)},`]
}

function expectations({ reply }: CaseStep, equal: (actual: string, expected: string) => string): string[] {
  if (!reply) return []
  const headers = Object.entries(reply.headers ?? {}).filter(([name]) => compared.test(name))
  const hasSecret = /\bfp_[0-9a-f]{12}\b/.test(reply.text ?? toJson(reply.body ?? null))
  return [
    equal('reply.status', String(reply.status)),
    ...headers.map(([name, value]) =>
      equal(`reply.headers.get(${toStringLiteral(name)})`, toStringLiteral(String(value))),
    ),
    ...(hasSecret ? ['// The body has a secret, which is not in the case.'] : []),
    ...(reply.body !== undefined && !hasSecret ? [equal('await reply.json()', toCode(reply.body))] : []),
    ...(reply.text !== undefined && !hasSecret ? [equal('await reply.text()', toStringLiteral(reply.text))] : []),
  ]
}

/** Writes a value as code, with names unquoted where possible. */
function toCode(value: unknown): string {
  if (typeof value === 'string') return toStringLiteral(value)
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(toCode).join(', ')}]`
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${/^[a-z_$][\w$]*$/i.test(name) ? name : toStringLiteral(name)}: ${toCode(part)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
