import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { afterAll, expect, test } from 'vitest'

const greenhouse = createGreenhouse({ areas: ['plants'] })
const server = await serve(greenhouse)
afterAll(() => server.close())

/** Completes a text where it has a `|`, as the editor of the panel asks for it. */
async function at(text: string): Promise<string[]> {
  const asked = { name: 'own', text: text.replace('|', ''), at: text.indexOf('|') }
  const reply = await fetch(`${server.url}/__greenhouse/scenarios/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  })
  return ((await reply.json()) as { fits: string[] }).fits
}

const operations = ['plants.create', 'plants.list', 'plants.delete']

const rest = `
respond:
  - { on: plants.list }`

const completions: [text: string, words: string[]][] = [
  ['ti|', ['title']],
  ['title|', []],
  ['x|', []],
  [`co|${rest}`, ['covers']],
  ['respond:\n  - on: plants.|', operations],
  ['respond:\n  - on:|', operations],
  ['respond:\n  - on: plants.list|', []],
  ['respond:\n  - on: plants.list\n    stat|', ['status']],
  ['respond:\n  - stat|', ['status']],
  ['respond:\n    # a comment: here\n\n  - status: 500\n    stat|', ['status']],
  ['title: a\nfault:\n  - kind: delay\n    fi|', ['fixed']],
  ['fault:\n  - kind: tim|', ['timeout']],
  ['fault:\n  - kind: timeout|', []],
  ['malform:\n  - breaks: t|', ['true']],
  ['malform:\n  - breaks: |', ['true', 'false']],
  ['malform:\n  - kind: bad-|', ['bad-enum', 'bad-utf8']],
  ['respond:\n  - where:\n      acc|', ['account']],
  ['respond:\n  - where:\n      account: any\n    stat|', ['status']],
  ['respond:\n  - where:\n      account: any\nfau|', ['fault']],
  ['title: a\n  more te|', []],
  ['title: a\n  more text ti|', []],
  ['title: |', []],
  ['nothing:\n  - stat|', []],
  ['options:\n  own:\n    des|', []],
  ['title: T\nmal|', ['malform']],
  ['respond:\n  - status: 503\n    on: plants.c|', ['plants.create']],
  ['malform:\n  - kind: wr|', ['wrong-type']],
  ['respond:\n  - nothing:\n      a|', []],
  ['respond:\n  - status and|', []],
  ['respond:\n  - text: a\n   goes on\n    err|', ['error']],
]

test.each(completions)('at the mark in %j, an editor is offered %j', async (text, words) => {
  expect(await at(text)).toEqual(words)
})

test('a file begins with the names of its fields, each once', async () => {
  const words = await at('|')
  expect(words.slice(0, 3)).toEqual(['title', 'description', 'covers'])
  expect(words).toContain('respond')
  expect(new Set(words).size).toBe(words.length)
})
