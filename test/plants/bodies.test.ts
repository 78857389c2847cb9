import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { expectRefusal, json, post } from './helpers.ts'

const notJson = [
  [
    '',
    ' ',
    '\n',
    '{',
    '}',
    '[',
    ']',
    '{}}',
    '{{}}',
    '{]',
    '"',
    '"x',
    "'x'",
    ',',
    ':',
    '-',
    '+1',
    '.5',
    '1.',
  ],
  [
    '01',
    '0x10',
    '1e',
    '1_000',
    '--1',
    'nul',
    'NULL',
    'True',
    'undefined',
    'NaN',
    'Infinity',
    '-Infinity',
  ],
  [
    '1n',
    '{"id":1007,"name":"x","size":12345678901234567-5}',
    '{"id":1007,"name":"x","size":1.2345678901234567.8}',
    'name=Ficus&id=1007',
    '<plant/>',
    'id: 1007',
    '\0',
    '\u00a0{}',
    '\u2028{}',
    '{id:1007,"name":"x"}',
  ],
  ["{'id':1007}", '{"id":1007,}', '{,"id":1007}', '{"id" 1007}', '{"id":}', '{"id"}'],
  [
    '{"id":1007 "name":"x"}',
    '{"id":1007;"name":"x"}',
    '{"id":1007,"name":"x"} x',
    '{"id":1007,"name":"x"}{}',
  ],
  [
    '{"id":1007,"name":"x"}\0',
    '{"id":1007,"name":"x"},',
    '{"id":1007,"name":"x"',
    '{"id":1007,"name":"x}',
  ],
  ['{"id":1007,/* c */"name":"x"}', '{"id":1007,"name":"x"}// c', '{"id":1007,"name":"a\nb"}'],
  ['{"id":1007,"name":"a\tb"}', '{"id":1007,"name":"a\u0000b"}', '{"id":1007,"name":"\\x41"}'],
  ['{"id":1007,"name":"\\u12"}', '{"id":1007,"name":"\\u{41}"}', '{"id":1007,"name":"\\"}'],
  [
    '{"id":01007,"name":"x"}',
    '{"id":+1007,"name":"x"}',
    '{"id":0x3ef,"name":"x"}',
    '{"id":1007n,"name":"x"}',
  ],
  ['{"id":NaN,"name":"x"}', '{"id":1.,"name":"x"}', '{"id":.5,"name":"x"}', '{"id":1e,"name":"x"}'],
  ['{"id":- 1,"name":"x"}'],
  // With a huge integer, which takes another way through the parser.
  [
    '{"id":9223372036854775807',
    '{"id":9223372036854775807,}',
    '{"id":9223372036854775807,"name":"\\u12"}',
  ],
  ['{"id":09223372036854775807,"name":"x"}', '9223372036854775807x'],
].flat()

const notAnObject = [
  [
    'null',
    'true',
    'false',
    '0',
    '1007',
    '-1.5',
    '1e400',
    '9223372036854775807',
    '""',
    '"Ficus"',
    '"{}"',
    '[]',
  ],
  ['[{"id":1007,"name":"Ficus"}]', '[[]]'],
].flat()

const plant = (id: number) => `{"id":${id},"name":"Ficus"}`

const otherTypes = [
  ['text/plain', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded'],
  ['multipart/form-data; boundary=x', 'application/octet-stream', 'application/xml', 'text/json'],
  [
    'application/json5',
    'application/problem+json',
    'application/vnd.api+json',
    'application',
    'json',
    '*/*',
  ],
  ['application/*', 'application/jsonx', '', 'application/json; charset=latin1'],
  ['application/json; charset=utf-16', 'application/json; charset="iso-8859-1"'],
  [
    'application/json;charset=us-ascii',
    'application/json, text/plain',
    'text/plain, application/json',
  ],
].flat()

const types = [
  [
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
  ],
  [
    'application/json; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json ;  charset = utf-8 ',
  ],
  [
    'application/json;',
    'application/json; profile=x',
    'application/json; profile=x; charset=utf-8',
  ],
].flat()

/** A plant of that depth as a whole: its own object is the first level. */
const nested = (id: number, depth: number, open: string, close: string) =>
  `{"id":${id},"name":"Ficus","more":${open.repeat(depth - 1)}0${close.repeat(depth - 1)}}`

const plantNamed = (...bytes: number[]) =>
  new Uint8Array([...Buffer.from('{"id":1007,"name":"'), ...bytes, ...Buffer.from('"}')])

/**
 * A byte that never occurs, a continuation, a start, overlong ones, a surrogate, beyond U+10FFFF,
 * Latin-1.
 */
const invalid: readonly number[][] = [
  [0xff],
  [0x80],
  [0xc3],
  [0xc0, 0xaf],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0x4d, 0xfc, 0x6c, 0x6c],
]

const typed = (type: string) => ({ 'content-type': type })

const million = '7'.repeat(1_000_000)

type Sent = string | Uint8Array | undefined | readonly [body: Sent, headers: Record<string, string>]

/** What creates no plant, and the status of the reply. */
const rejected: readonly (readonly [what: string, sent: readonly Sent[], status?: number])[] = [
  ['a body that is not JSON', notJson],
  ['JSON that is not an object', notAnObject],
  ['a missing body', [undefined, [undefined, {}]]],
  [
    'a body of another type or charset than JSON in UTF-8',
    otherTypes.map((type) => [plant(1007), typed(type)]),
  ],
  ['a body of no type', [[plant(1007), {}]]],
  [
    'a compressed body',
    ['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip', 'x-gzip', 'nonsense', 'identity, gzip'].map(
      (encoding) => [plant(1007), { ...json, 'content-encoding': encoding }],
    ),
    415,
  ],
  [
    'a body that is nested deeper than 100',
    [
      ...[101, 5_000, 50_000].flatMap((depth) => [
        nested(1007, depth, '[', ']'),
        nested(1007, depth, '{"a":', '}'),
      ]),
      '['.repeat(50_000),
    ],
  ],
  [
    'an integer of a million digits, wherever it stands,',
    [
      `{"id":${million},"name":"Ficus"}`,
      `{"id":-${million},"name":"Ficus"}`,
      `{"id":1007,"name":${million}}`,
      `{"id":1007,"name":"Ficus","more":${million}}`,
      million,
    ],
  ],
  [
    'a body that is not UTF-8',
    [
      ...invalid.map((bytes) => plantNamed(...bytes)),
      new Uint8Array(Buffer.from(plant(1007), 'utf16le')),
    ],
  ],
  ['a byte order mark alone, or a second one', ['\ufeff', `\ufeff\ufeff${plant(1007)}`]],
  [
    'a field that only __proto__ has',
    [
      '{"__proto__":{"id":1007,"name":"Ficus"}}',
      '{"id":1007,"__proto__":{"name":"Ficus"}}',
      '{"id":9223372036854775807,"__proto__":{"name":"Ficus"}}',
    ],
  ],
]

for (const [what, sent, status = 400] of rejected)
  testApi(`${what} is rejected, and creates nothing`, async ({ send, world }) => {
    for (const one of sent) {
      const [body, headers] = Array.isArray(one) ? one : [one]
      expectRefusal(
        await post(send, body, headers),
        status,
        JSON.stringify([body, headers]).slice(0, 80),
      )
    }
    expect(world.records.plants.count()).toBe(30)
    expect((await post(send, plant(1007))).status).toBe(200)
  })

testApi('a request without a body says so', async ({ call, send }) => {
  expectRefusal(await call('POST', '/plants'), 400)
  expect((await post(send, undefined)).body.message).toMatch(/body is missing/)
})

const accepted: readonly (readonly [
  what: string,
  sent: string,
  name?: string,
  headers?: Record<string, string>,
])[] = [
  ['whitespace around and inside of JSON', ' \t\r\n{ "id" : 1007 ,\n"name"\t:"Ficus" } \r\n'],
  [
    'the Content-Encoding identity',
    plant(1007),
    'Ficus',
    { ...json, 'content-encoding': 'identity' },
  ],
  [
    'the Content-Encoding Identity',
    plant(1007),
    'Ficus',
    { ...json, 'content-encoding': 'Identity' },
  ],
  ...types.map((type) => [`the type ${type}`, plant(1007), 'Ficus', typed(type)] as const),
  ['100 arrays', nested(1007, 100, '[', ']')],
  ['100 objects', nested(1007, 100, '{"a":', '}')],
  ['500 siblings', `{"id":1007,"name":"Ficus","more":[${'[],'.repeat(500)}{}]}`],
  ...['['.repeat(500), '\\"['.repeat(500), '\\\\\\"{'.repeat(500)].map(
    (name, index) =>
      [
        `brackets in a text (${index})`,
        `{"id":1007,"name":"${name}"}`,
        JSON.parse(`"${name}"`),
      ] as const,
  ),
  ['a million digits in a text', `{"id":1007,"name":"${million}"}`, million],
  ['a byte order mark', `\ufeff${plant(1007)}`],
  [
    'an optional field that only __proto__ has',
    '{"id":1007,"name":"Ficus","__proto__":{"tag":"tree"}}',
  ],
]

for (const [what, sent, name = 'Ficus', headers] of accepted)
  testApi(`a body may have ${what}`, async ({ send }) => {
    const { status, body } = await post(send, sent, headers)
    expect([status, body]).toEqual([200, { name }])
  })

testApi('the last of two fields with the same name counts', async ({ send, call }) => {
  expect((await post(send, '{"id":1007,"id":1008,"name":"first","name":"last"}')).body).toEqual({
    name: 'last',
  })
  expect(
    (
      await post(
        send,
        '{"id":9223372036854775806,"id":9223372036854775807,"name":"first","name":"last"}',
      )
    ).body,
  ).toEqual({ name: 'last' })
  expect((await call('DELETE', '/plants/1007')).status).toBe(404)
  expect((await call('DELETE', '/plants/1008')).status).toBe(204)
  expect((await call('DELETE', '/plants/9223372036854775806')).status).toBe(404)
  expect((await call('DELETE', '/plants/9223372036854775807')).status).toBe(204)
})

function plantOf(id: number, bytes: number): string {
  const frame = `{"id":${id},"name":""}`
  return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`)
}

testApi('a body of 1 MiB is read, one of a byte more is not', async ({ send, call }) => {
  const { status, body } = await post(send, plantOf(1007, 2 ** 20))
  expect(status).toBe(200)
  expect(body.name.length).toBeGreaterThan(2 ** 20 - 100)
  expectRefusal(await post(send, plantOf(1008, 2 ** 20 + 1)), 413)
  expect((await call('DELETE', '/plants/1008')).status).toBe(404)
})

testApi('the limit of the body can be set', { bodyLimit: 100 }, async ({ send }) => {
  expect((await post(send, plantOf(1007, 100))).status).toBe(200)
  expectRefusal(await post(send, plantOf(1008, 101)), 413)
  expectRefusal(await post(send, plantOf(1008, 200_000)), 413)
  expect((await post(send, plantOf(1008, 99))).status).toBe(200)
})

testApi('the limit counts bytes, not characters', { bodyLimit: 100 }, async ({ send }) => {
  expectRefusal(await post(send, `{"id":1007,"name":"${'ü'.repeat(60)}"}`), 413)
  expect((await post(send, `{"id":1007,"name":"${'u'.repeat(60)}"}`)).status).toBe(200)
})

testApi(
  'a body that comes in parts without a length is counted too',
  { bodyLimit: 100 },
  async ({ send }) => {
    const inParts = async (body: string) => {
      const { status } = await send('/plants', {
        method: 'POST',
        headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
        body: new Blob([body.slice(0, 40), body.slice(40)]).stream(),
        duplex: 'half',
      } as RequestInit)
      return status
    }
    expect(await inParts(plantOf(1007, 100))).toBe(200)
    expect(await inParts(plantOf(1008, 101))).toBe(413)
  },
)

testApi('an integer has at most 20 characters, wherever it stands', async ({ send }) => {
  const create = (integer: string) => post(send, `{"id":7001,"name":"Fern","unknown":${integer}}`)
  for (const integer of ['9'.repeat(21), `-${'9'.repeat(20)}`]) {
    const refused = await create(integer)
    expect(refused.status).toBe(400)
    expect(refused.body.message).toContain('an integer of more than 20 characters')
  }
  expect((await create('9'.repeat(20))).status).toBe(200)
})

testApi('a length is counted in bytes', async ({ send }) => {
  const { headers, body } = await post(send, '{"id":1007,"name":"桜 \u{1F331}"}')
  expect(body).toEqual({ name: '桜 \u{1F331}' })
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength('{"name":"桜 \u{1F331}"}')))
})

const names =
  '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"prototype":{"polluted":3},"toString":4,"hasOwnProperty":5,"toJSON":6,"then":7'
const bodies = [
  `{"id":1007,"name":"Ficus",${names}}`,
  `{"id":9223372036854775807,"name":"Ficus",${names}}`,
]
const untouched = Object.getOwnPropertyNames(Object.prototype).sort()

testApi(
  'names of the prototype chain in a body are data that nobody asked for',
  async ({ send, call }) => {
    for (const body of bodies) expect((await post(send, body)).text).toBe('{"name":"Ficus"}')
    expect((await call('GET', '/plants?limit=1')).body).toEqual([
      { name: 'Lavandula angustifolia', tag: 'herb' },
    ])
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(untouched)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  },
)

testApi(
  'names of the prototype chain are kept as data where unknown fields are kept',
  { assumptions: { 'plants.create.unknown-fields': 'keep' } },
  async ({ send, call }) => {
    for (const body of bodies) {
      const { text } = await post(send, body)
      expect(text).toBe(`{${names},"name":"Ficus"}`)
      expect((await call('GET', '/plants')).text).toContain(text)
    }
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(untouched)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  },
)

testApi(
  'names of the prototype chain are refused where unknown fields are refused',
  { assumptions: { 'plants.create.unknown-fields': 'reject' } },
  async ({ send }) => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString'])
      expectRefusal(await post(send, `{"id":1007,"name":"Ficus","${name}":1}`), 400, name)
  },
)

const withFields = (count: number) =>
  `{${Array.from({ length: count }, (_, at) => `"f${at}":0`).join(',')}}`

testApi('a body may have 50,000 values and 10,000 fields', async ({ call }) => {
  const bodies: [more: string, message?: string][] = [
    [`[${'0,'.repeat(50_000)}0]`, 'The body holds more than 50000 values.'],
    [`[${'0,'.repeat(49_900)}0]`],
    [`"${'[{,'.repeat(60_000)}"`],
    [withFields(10_000), 'The body holds more than 10000 fields.'],
    [withFields(9_990)],
    [`"${'a:'.repeat(60_000)}"`],
  ]
  for (const [at, [more, message]] of bodies.entries()) {
    const { status, body } = await call('POST', '/plants', {
      body: `{"id":${5_000 + at},"name":"x","more":${more}}`,
    })
    expect([status, body.message], more.slice(0, 9)).toEqual([
      message === undefined ? 200 : 400,
      message,
    ])
  }
})
