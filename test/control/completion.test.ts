import { expect, test } from 'vitest'
import { completeScenario } from '../../src/scenarios/language/complete.ts'

const operations = ['apps.list', 'apps.get', 'plants.list']

/** Completes a text where it has a `|`. */
const at = (text: string) => completeScenario(text.replace('|', ''), text.indexOf('|'), operations)

const rest = `
respond:
  - { on: apps.list }`

const completions: [text: string, words: string[]][] = [
  ['ti|', ['title']],
  ['title|', []],
  ['x|', []],
  [`co|${rest}`, ['covers']],
  ['respond:\n  - on: apps.|', ['apps.list', 'apps.get']],
  ['respond:\n  - on:|', operations],
  ['respond:\n  - on: apps.list|', []],
  ['respond:\n  - on: apps.list\n    stat|', ['status']],
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
]

test.each(completions)('at the mark in %j, an editor is offered %j', (text, words) => {
  expect(at(text)).toEqual(words)
})

test('a file begins with the names of its fields, each once', () => {
  const words = at('|')
  expect(words.slice(0, 3)).toEqual(['title', 'description', 'covers'])
  expect(words).toContain('respond')
  expect(new Set(words).size).toBe(words.length)
})
