import { expect } from 'vitest'
import { run, startServe, type CommandOptions } from '../support/cli.ts'

/** Returns the output of a command that must succeed. */
export async function print(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(words)
  expect([code, stderr], words.join(' ')).toEqual([0, ''])
  return stdout
}

/** Starts a server that ends with the test, and returns what commands print that call it. */
export async function startWithCommands(...flags: string[]) {
  const running = await startServe(flags)
  const url = running.ready.plants_url
  return {
    ...running,
    url,
    command: (...words: string[]) => run([...words, '--server', url]),
    print: (...words: string[]) => print(...words, '--server', url),
    printJson: async (...words: string[]) =>
      JSON.parse(await print(...words, '--json', '--server', url)),
    read: async (path: string): Promise<any> => (await fetch(`${url}/__greenhouse${path}`)).json(),
    create: (path: string, body: object) =>
      running.call(path, { method: 'POST', body: JSON.stringify(body) }),
  }
}

/** Asserts that a command ends with code 2 and prints nothing but why, without a stack. */
export async function expectWrongUse(
  words: readonly string[],
  message: string | RegExp,
  options?: CommandOptions,
): Promise<string> {
  const { code, stdout, stderr } = await run(words, options)
  expect(stderr, words.join(' ')).toMatch(message)
  expect(stderr, words.join(' ')).not.toMatch(/^ +at |file:\/\/|node:internal/m)
  expect([code, stdout], words.join(' ')).toEqual([2, ''])
  return stderr
}

/** Runs a Node script as the command of `greenhouse-mock run`; it can `ask(path, options)`. */
export function runScript(script: string, flags: readonly string[] = [], options?: CommandOptions) {
  // The fetch of Node would take three times as long.
  const ask = `const ask = (path, { method, headers, body } = {}) => new Promise((resolve, reject) => {
    const own = { authorization: 'Bearer ' + process.env.GREENHOUSE_KEY_PRO, 'content-type': 'application/json', ...headers }
    const read = (reply) => {
      let text = ''
      reply.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text)).on('error', reject)
    }
    require('node:http').request(process.env.PLANTS_BASE_URL + path, { method, headers: own }, read).on('error', reject).end(body)
  })`
  const words = [
    'run',
    ...flags,
    '--',
    process.execPath,
    '-e',
    `${ask}; (async () => { ${script} })()`,
  ]
  return run(words, options)
}

export function parseLines(text: string): any[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line))
}

/**
 * Clears a screen, sets a title, changes colours; the C1 form of the first; turns text around; a
 * separate line.
 */
export const hostile = '\x1b[2J\x1b]0;title\x07\x9b31m\u202e\u2028\r\x7f'

/** Characters that a terminal acts on, or that let text look like a line of ours. */
// eslint-disable-next-line no-control-regex
export const unsafe = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/
