import { quoteForShell, toLiteral } from '../core/text/messages.ts'

/** A request that is written as code. */
interface CodeRequest extends RequestParts {
  readonly url: string
}

interface RequestParts {
  readonly method: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string
}

/** The writers of a request as a command or program, by the name of the form. */
export const languages = {
  curl: toCurl,
  fetch: toFetch,
  httpie: toHttpie,
} as const

export function toCurl({ method, url, headers, body }: CodeRequest): string {
  const words = ['curl']
  // Without `-g`, brackets and braces make several URLs of one.
  if (/[[\]{}]/.test(url)) words.push('-g')
  if (method === 'HEAD') words.push('--head')
  else if (method !== (body === undefined ? 'GET' : 'POST')) words.push('-X', method)
  words.push(quoteForShell(url))
  // With `name:`, curl would not send a header with an empty value.
  for (const [name, value] of headers)
    words.push('-H', quoteHeader(value === '' ? `${name};` : `${name}: ${value}`))
  if (body !== undefined) words.push('--data-raw', quoteForShell(body))
  return words.join(' ')
}

export function toFetch(request: CodeRequest): string {
  return `const response = await ${toFetchCall(toLiteral(request.url), request)}\nconsole.log(response.status, await response.text())`
}

export function toFetchCall(url: string, { method, headers, body }: RequestParts): string {
  const options: Record<string, unknown> = {}
  if (method !== 'GET') options['method'] = method
  if (headers.length > 0) options['headers'] = Object.fromEntries(headers)
  if (body !== undefined) options['body'] = body
  return `fetch(${url}${Object.keys(options).length === 0 ? '' : `, ${toLiteral(options)}`})`
}

function toHttpie({ method, url, headers, body }: CodeRequest): string {
  const words = ['http']
  if (body !== undefined) words.push('--raw', quoteForShell(body))
  words.push(method, quoteForShell(url))
  for (const [name, value] of headers)
    // HTTPie reads `:=` as JSON, and `:@` as the name of a file.
    words.push(quoteHeader(value === '' ? `${name};` : `${name}:${value.replace(/^[=@]/, '\\$&')}`))
  return words.join(' ')
}

/** Quotes a header for the shell, which still expands `$KEY` and `$GREENHOUSE_TOKEN`. */
function quoteHeader(text: string): string {
  const variable = /\$(?:KEY|GREENHOUSE_TOKEN)\b/.exec(text)?.[0]
  if (variable === undefined) return quoteForShell(text)
  const isPlain = !/["`\\!$]/.test(text.replace(variable, ''))
  if (isPlain) return `"${text}"`
  return quoteForShell(text).replace(variable, `'"${variable}"'`)
}

/** How tests are written for a runner. All texts are code. */
export interface RunnerCode {
  readonly title: string
  /** The imports of a test that starts a server itself. */
  readonly imports: string
  /** True if a test has `require`, not `import`. */
  readonly requires?: true
  /**
   * Returns the head of a test that gets a world. @param options the options of its Greenhouse, as
   * code
   */
  toHead(options: string): string
  /** True if `test` has the world as a fixture; otherwise the test gets it from `withWorld`. */
  readonly hasFixtures?: true
  equal(actual: string, expected: string): string
  rejects(promise: string): string
  /**
   * Returns what limits the time of a test: a line before it, or an argument after its function,
   * with a comma. @param time in milliseconds
   */
  limit(time: number): {
    readonly line?: string
    readonly argument?: string
  }
}

const expectCode = {
  equal: (actual: string, expected: string) => `expect(${actual}).toEqual(${expected})`,
  rejects: (promise: string) => `await expect(${promise}).rejects.toThrow()`,
  limit: (time: number) => ({ argument: `, ${time}` }),
}

const nodeImports = "import assert from 'node:assert/strict'\nimport { test } from 'node:test'"

export const runners: Readonly<Record<'vitest' | 'jest' | 'playwright' | 'node', RunnerCode>> = {
  vitest: {
    title: 'Vitest',
    imports: "import { expect, test } from 'vitest'",
    toHead: (options) =>
      `import { expect } from 'vitest'\nimport { createTest } from 'greenhouse-mock/vitest'\n\nconst test = createTest(${options})`,
    hasFixtures: true,
    ...expectCode,
  },
  jest: {
    title: 'Jest',
    imports: '',
    requires: true,
    toHead: (options) =>
      `const { createWithWorld } = require('greenhouse-mock/testing')\n\nconst withWorld = createWithWorld(${options})`,
    ...expectCode,
  },
  playwright: {
    title: 'Playwright',
    imports: "import { expect, test } from '@playwright/test'",
    toHead: (options) =>
      `import { expect, test } from 'greenhouse-mock/playwright'\n\ntest.use({ greenhouseOptions: ${options} })`,
    hasFixtures: true,
    ...expectCode,
    limit: (time) => ({ line: `test.setTimeout(${time})` }),
  },
  node: {
    title: 'node:test',
    imports: nodeImports,
    toHead: (options) =>
      `${nodeImports}\nimport { createWithWorld } from 'greenhouse-mock/testing'\n\nconst withWorld = createWithWorld(${options})`,
    equal: (actual, expected) => `assert.deepEqual(${actual}, ${expected})`,
    rejects: (promise) => `await assert.rejects(${promise})`,
    limit: () => ({}),
  },
}

export type CodeForm = keyof typeof languages | keyof typeof runners

export const codeForms = [...Object.keys(languages), ...Object.keys(runners)] as CodeForm[]
