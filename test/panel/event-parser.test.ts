import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventParser } from '../../src/panel/data/transport.ts'

test('a stream gives the same events however it is cut', () => {
  const text = fc.stringMatching(/^[^\r\n]{0,12}$/)
  const event = fc.record({
    id: fc.stringMatching(/^[a-z0-9-]{0,6}$/),
    type: fc.constantFrom('request', 'gap'),
    data: text,
  })
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 6 }),
      fc.array(fc.nat(40), { maxLength: 8 }),
      fc.boolean(),
      (events, cuts, isCrLf) => {
        const whole = events
          .map(({ id, type, data }) => `:comment\nid: ${id}\nevent: ${type}\ndata: ${data}\n\n`)
          .join('')
          .replaceAll('\n', isCrLf ? '\r\n' : '\n')
        const parser = new EventParser()
        const places = [
          0,
          ...cuts.map((cut) => cut % (whole.length + 1)).sort((one, other) => one - other),
          whole.length,
        ]
        const read = places.slice(1).flatMap((end, place) => parser.read(whole.slice(places[place]!, end)))
        expect(read).toEqual(events)
      },
    ),
  )
})

test('lines of data become one, and a comment nothing', () => {
  expect(new EventParser().read('data: one\ndata:two\n\n: still here\n\n')).toEqual([
    { id: '', type: 'message', data: 'one\ntwo' },
  ])
})
