import { expect, test } from 'vitest'
import { withoutChange } from '../../src/panel/frame/switch.ts'

const slow = (ms: number) => ({ name: 'slow', ms })
const named = (...names: string[]) => names.map((name) => ({ name }))

test.each([
  [
    'takes away what was switched on, and nothing that came since',
    named('a', 'b', 'c'),
    named('a'),
    named('a', 'b'),
    named('a', 'c'),
  ],
  [
    'puts what was switched off back to its place',
    named('a', 'd', 'e'),
    named('a', 'b', 'c', 'd'),
    named('a', 'd'),
    named('a', 'b', 'c', 'd', 'e'),
  ],
  ['puts all back before what came since', named('x'), named('a', 'b'), [], named('a', 'b', 'x')],
  ['gives the options of before back', [slow(9), ...named('x')], [slow(2)], [slow(9)], [slow(2), ...named('x')]],
  ['leaves options that others have set since', [slow(7)], [slow(2)], [slow(9)], [slow(7)]],
  ['leaves what others switched off since', named('x'), [], named('a'), named('x')],
  ['leaves what others switched on again since', [slow(7)], [slow(2)], [], [slow(7)]],
  [
    'puts both of one back, whatever came since',
    named('x'),
    [slow(2), ...named('a'), slow(9)],
    [],
    [slow(2), ...named('a'), slow(9), ...named('x')],
  ],
] as const)('undo %s', (_, now, before, after, expected) => {
  expect(withoutChange(now, before, after)).toEqual(expected)
})
