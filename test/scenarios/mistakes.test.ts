import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { loadScenarios } from 'greenhouse-mock/node'
import { problemsOf } from '../support/problems.ts'
import { own } from './helpers.ts'

const problemsIn = (files: Parameters<typeof problemsOf>[0]) => problemsOf(files, loadScenarios)

/**
 * What somebody writes, with `‸` before what is wrong, and the one problem that it must be: its
 * words, `…` for any.
 */
type Mistake = [text: string, problem: string]

const head = 'title: T\ndescription: D\ncovers: C\n'

/** Mistakes in the only item of an effect. One without a `‸` is wrong as a whole. */
const items: Record<string, Mistake[]> = {
  payments: [
    [
      '‸charge: renewel',
      '0.charge: expected "purchase", "upgrade", "renewal", or a list of them, …',
    ],
    [
      'charge: renewal, ‸outcome: fails-later',
      '0.outcome: only a purchase can fail later: expected "declined", or …',
    ],
    [
      'charge: renewal, where: { ‸key: k }',
      '0.where.key: there is no such field; expected one of plan, account.',
    ],
  ],
  recorded: [
    [
      'replies: [{ request: GET /plants, status: 200, ‸phrase: Ā }]',
      '0.replies.0.phrase: expected printable characters of Latin-1',
    ],
    [
      'replies: [{ request: GET /plants, status: 200, ‸base64: a-b }]',
      '0.replies.0.base64: expected base64',
    ],
    ...['"Y==="', '"=YQ"', '"YQ==x"'].map((base64): Mistake => [
      `replies: [{ request: GET /plants, status: 200, ‸base64: ${base64} }]`,
      '0.replies.0.base64: expected base64',
    ]),
    ...['base64: YQ==', 'pieces: [a]'].map((other): Mistake => [
      `replies: [‸{ request: GET /plants, status: 200, text: a, ${other} }]`,
      '0.replies.0: expected only one of "text", "base64", "file" and "pieces"',
    ]),
  ],
  respond: [
    ["‸on: 'plants.${which}', status: 500", '0.on: there is no option "which".'],
    [
      '‸on: plants.lst, status: 500',
      '0.on: no operation is called "plants.lst". Did you mean "plants.list"?',
    ],
    [
      '‸on: plant.*, status: 500',
      '0.on: no operation is called "plant.*". Did you mean "plants.*"?',
    ],
    [
      'on: ["*", ‸apps.lst], status: 500',
      '0.on.1: no operation is called "apps.lst". Did you mean "apps.list"?',
    ],
    [
      '‸on: 5, status: 500',
      '0.on: expected the id of an operation, a glob such as "plants.*", or a list …',
    ],
    ['status: 500, ‸probability: 1.5', '0.probability: expected at most 1, received 1.5'],
    ['status: 500, ‸probability: 50%', '0.probability: expected a number, received "50%"'],
    ['status: 500, ‸probability: .nan', '0.probability: is not a valid JSON number: NaN'],
    ['status: 500, ‸times: 0', '0.times: expected more than 0, received 0'],
    ['status: 500, ‸times: 1.5', '0.times: expected an integer, received 1.5'],
    [
      "status: 500, ‸times: '2'",
      '0.times: expected a number, received "2". Write it without quotes.',
    ],
    ['status: 500, ‸every: 0', '0.every: expected more than 0, received 0'],
    ['status: 500, ‸after: -1', '0.after: expected at least 0, received -1'],
    ['on: plants.list', '0: expected "error" or "status"'],
    ['‸error: notfound', '0.error: expected one of …. Did you mean "not_found"?'],
    ['‸status: 99', '0.status: expected at least 200, received 99'],
    [
      '‸status: 99999999999999999999',
      '0.status: expected a smaller number, received 99999999999999999999',
    ],
    ['error: not_found, body: {}', '0: expected only one of "error", "body" and "text"'],
    ['status: 200, body: {}, text: hello', '0: expected only one of "error", "body" and "text"'],
    ['status: 404, ‸message: gone', '0.message: expected "error" beside it'],
    [
      'status: 204, body: {}',
      '0: expected no "error" and no "body": a reply with this status has no body',
    ],
    ['status: 200, body: { a: [1, ‸.inf] }', '0.body.a.1: is not a valid JSON number: Infinity'],
    [
      'status: 200, ‸header: {}',
      '0.header: there is no such field; …error, message, …. Did you mean "headers"?',
    ],
    [
      'status: 200, headers: { ‸X-A: "a\\r\\nB: b" }',
      '0.headers.X-A: Invalid header: expected printable ASCII',
    ],
    [
      'status: 200, headers: { ‸X-A: true }',
      '0.headers.X-A: expected a string or a number, or a list of them, received true',
    ],
    ['status: 200, headers: { ‸"X A": a }', '0.headers.X A: Invalid header name'],
    ['status: 200, headers: { ‸"X\\r\\nY": a }', '0.headers.X\r\nY: Invalid header name'],
    ...['content-length', 'Connection', 'Keep-Alive', 'Trailer', 'Upgrade', 'TE'].map(
      (name): Mistake => [
        `status: 200, headers: { ‸${name}: "5" }`,
        `0.headers.${name}: Invalid header: Greenhouse sets it itself`,
      ],
    ),
    [
      'status: 200, ‸__proto__: { polluted: true }',
      '0.__proto__: the name "__proto__" is not allowed',
    ],
    [
      'status: 200, headers: { ‸__proto__: a }',
      '0.headers.__proto__: the name "__proto__" is not allowed',
    ],
    ["status: 200, ‸text: '${constructor}'", '0.text: there is no option "constructor".'],
  ],
  account: [
    ['‸plan: gold', '0.plan: expected one of "free", "lite", "pro", "pro_plus"'],
    ['‸plan: Pro', '0.plan: expected one of …. Did you mean "pro"?'],
    [
      'plan: free, where: { ‸size: 5 }',
      '0.where.size: there is no such field; expected one of plan, account, key.',
    ],
    [
      'plan: free, where: { ‸acount: a }',
      '0.where.acount: there is no such field; …. Did you mean "account"?',
    ],
    [
      'plan: free, where: { ‸key: 5 }',
      "0.where.key: expected a string, received 5. Put it in quotes: '5'.",
    ],
  ],
  keys: [
    ['where: { plan: pro }', '0: expected one of "expire: <duration>", "revoke: true", …'],
    ['‸expire: soon', '0.expire: expected a duration, such as "90s", "5m", "2h" or "1d"'],
    ["‸expire: '90'", '0.expire: expected a duration, such as "90s", …'],
    ['‸expire: -90s', '0.expire: expected a duration, such as "90s", …'],
    ['‸without: plants:writ', '0.without: expected one of …. Did you mean "plants:write"?'],
  ],
  quota: [
    ['window: minute, ‸remaining: -1', '0.remaining: expected at least 0, received -1'],
    ['‸window: hour', '0.window: expected one of "minute", "day"'],
    ['remaining: 1', '0.window: is missing: expected one of "minute", "day"'],
  ],
  records: [
    [
      '‸collection: plnts, keep: none',
      '0.collection: there is no such collection; …. Did you mean "plants"?',
    ],
    ['collection: plants', '0: expected "keep: none" or "add: <number>"'],
    ['collection: plants, ‸add: 0', '0.add: expected at least 1, received 0'],
    [
      'collection: keys, ‸add: 3',
      '0.add: records of "keys" can\'t be generated, only those of plants, apps can',
    ],
  ],
  malform: [
    ['on: plants.list, at: /0, ‸kind: broken', '0.kind: expected one of …'],
    [
      'on: plants.list, at: /0/name, ‸kind: null',
      "0.kind: expected one of …. Put it in quotes: 'null'.",
    ],
    [
      'on: plants.list, ‸at: 0/name, kind: missing',
      '0.at: Invalid JSON pointer: expected something like "/0/name"',
    ],
  ],
  fault: [
    [
      '‸kind: dely, fixed: 1s',
      '0.kind: there is no kind "dely"; expected one of bad-utf8, …. Did you mean "delay"?',
    ],
    ['fixed: 1s', '0.kind: is missing: expected one of "bad-utf8", "clock-skew", …'],
    [
      'kind: reset, ‸fixed: 1s',
      '0.fixed: there is no such field; expected one of kind, loses, on, where, ….',
    ],
    [
      'kind: delay, fixed: 1s, ‸probabilty: 1',
      '0.probabilty: there is no such field; …. Did you mean "probability"?',
    ],
    [
      'kind: delay, fixed: 1s, uniform: { min: 1s, max: 2s }',
      '0: expected one of "fixed", "uniform" and "lognormal"',
    ],
    ['kind: stream', '0: expected "fails" or "words_per_second"'],
    ['kind: stream, events: 3', '0: expected "fails" or "words_per_second"'],
    ['kind: stream, events: 3, words_per_second: 1', '0: expected "fails" beside "events", …'],
    ['kind: stream, fails: break, for: 1s', '0: expected "fails: stall" beside "for"'],
    [
      'kind: stream, fails: stall, error: not_found',
      '0: expected "fails: error" beside "error" and "message"',
    ],
    [
      'kind: stream, fails: stall, ‸for: always',
      '0.for: expected a duration up to "1d", such as "30s", or "ever"',
    ],
    ...['2d', '-1s'].map((length): Mistake => [
      `kind: stream, fails: stall, ‸for: ${length}`,
      '0.for: expected a duration up to "1d", …',
    ]),
    ['kind: stream, fails: error, ‸error: no_such_code', '0.error: …"invalid_request", …'],
    ['kind: stream, ‸words_per_second: 0', '0.words_per_second: …'],
    ['kind: delay, ‸fixed: true', '0.fixed: expected a string or a number, received true'],
    ['kind: delay, ‸uniform: { min: 2s, max: 1s }', '0.uniform: expected max to be at least min'],
    [
      'kind: delay, ‸uniform: { min: 2s }',
      '0.uniform.max: is missing: expected a string or a number',
    ],
    [
      'kind: delay, lognormal: { median: 1s, ‸sigma: -1 }',
      '0.lognormal.sigma: expected at least 0, received -1',
    ],
    ['kind: truncate, ‸at: -1', '0.at: expected at least 0, received -1'],
    ['kind: drip, ‸bytes_per_second: 0', '0.bytes_per_second: expected at least 1, received 0'],
    [
      'kind: timeout, ‸loses: repl',
      '0.loses: expected one of "request", "reply". Did you mean "reply"?',
    ],
    ['kind: headers', '0: expected "set", "remove" or "repeat"'],
    [
      'kind: headers, set: { ‸transfer-encoding: chunked }',
      '0.set.transfer-encoding: Invalid header: Greenhouse sets it itself',
    ],
  ],
  deliver: [
    ['kind: lost, ‸by: 1m', '0.by: does not apply to this kind: expected no "by"'],
    ['kind: lost, ‸events: app.creatd', '0.events: no event is called "app.creatd". Did you …'],
    ['kind: lost, events: [plant.created, ‸app.creatd]', '0.events.1: no event is called …'],
  ],
}

/** Values at a limit, which an effect takes, by its name. */
const atLimits: Record<string, string[]> = {
  recorded: ['""', 'YQ==', 'YWI=', 'YWJj', '+/+/'].map(
    (base64) => `replies: [{ request: GET /plants, status: 200, base64: ${base64} }]`,
  ),
  respond: [
    'status: 500, probability: 0',
    'status: 500, probability: 1',
    'status: 500, times: 1, after: 0, every: 1',
    'status: 204, headers: {}',
  ],
  keys: ['expire: 0s'],
  quota: ['window: day, remaining: 0'],
  fault: [
    'kind: stream, fails: stall, for: 0s',
    'kind: stream, fails: stall, for: 1d',
    'kind: stream, fails: stall, for: ever',
    'kind: stream, fails: break, events: 0',
    'kind: stream, words_per_second: 0.01',
    'kind: stream, words_per_second: 1000',
    'kind: delay, fixed: 0s',
    'kind: delay, uniform: { min: 1s, max: 1s }',
    'kind: delay, lognormal: { median: 1s, sigma: 0 }',
    'kind: clock-skew, by: 36500d',
    'kind: clock-skew, by: -36500d',
    'kind: truncate, at: 0',
    'kind: drip, bytes_per_second: 1',
  ],
}

/** Mistakes in the declaration of the option `n`, by the effect that uses it. */
const options: Record<string, Mistake[]> = {
  "quota: { window: '${n}' }": [
    [
      '{ values: [minute] }',
      'options.n.default: is missing: expected a string, a number, true or false',
    ],
    ['minute', 'options.n: expected a mapping, received "minute"'],
    [
      '{ ‸type: int, default: 1 }',
      'options.n.type: expected one of "string", "integer", "number", …, "duration"',
    ],
    ['{ values: [minute], ‸default: hour }', 'options.n.default: expected one of "values"'],
    [
      '{ values: [minute, day], ‸default: minutes }',
      'options.n.default: …"values". Did you mean "minute"?',
    ],
    ['{ type: integer, ‸default: few }', 'options.n.default: expected a whole number'],
    ['{ values: [minute, ‸5], default: minute }', 'options.n.values.1: expected a string'],
    [
      '{ values: [minute, ‸null], default: minute }',
      'options.n.values.1: expected a string, …, received null',
    ],
    [
      '{ values: [minute, day, ‸minute], default: day }',
      'options.n.values.2: "minute" is listed already',
    ],
    [
      '{ values: [minute, ‸dy], default: minute }',
      'options.n.values.1: with "dy", quota.0.window: …. Did you mean "day"?',
    ],
    [
      '{ ‸min: 1, default: day }',
      'options.n.min: applies to numbers only: expected type integer or number, …',
    ],
    [
      '{ description: A, ‸b, default: day }',
      'options.n.b: there is no such field; expected one of …, default.',
    ],
  ],
  "quota: { ‸window: '${n}' }": [
    ['{ default: hour }', 'quota.0.window: expected one of "minute", "day"'],
  ],
  "quota: { window: day, remaining: '${n}' }": [
    [
      '{ type: integer, min: 1, ‸default: 0 }',
      'options.n.default: expected a whole number, 1 or more',
    ],
    [
      '{ type: integer, ‸min: -1, default: 0 }',
      'options.n.min: with -1, quota.0.remaining: expected at least 0, …',
    ],
    [
      '{ type: integer, min: 5, ‸max: 3, default: 4 }',
      'options.n.max: expected max to be at least min',
    ],
    ['{ ‸min: 0.5, default: 1, type: integer }', 'options.n.min: expected a whole number'],
  ],
  "keys: { expire: '${n}' }": [
    ['{ type: duration, ‸default: soon }', 'options.n.default: expected a duration, …'],
  ],
  "keys: { revoke: '${n}' }": [
    ['{ default: true }', 'options.n: with false, keys.0.revoke: expected true'],
  ],
  "respond: { on: '${n}', status: 500 }": [
    [
      '{ values: ["*", ‸apps.lst], default: "*" }',
      'options.n.values.1: with "apps.lst", respond.0.on: …',
    ],
  ],
  'quota: { window: day }': [
    ['{ default: day }', 'options.n: is not used: expected "${n}" in an effect'],
  ],
  "quota: { window: '${n}', where: { ‸account: '${nn}' } }": [
    ['{ default: day }', 'quota.0.where.account: there is no option "nn". Did you mean "n"?'],
  ],
  "quota: { window: '${n}', where: { ‸key: '${n' } }": [
    ['{ default: day }', 'quota.0.where.key: a placeholder has no end: expected "}" after "${"'],
  ],
}

/** Mistakes in the head of a file, before `assume: {}`. */
const heads: Mistake[] = [
  ['‸description: D\ncovers: C', 'title: is missing: expected a string'],
  ['‸title: " "\ndescription: D\ncovers: C', 'title: is blank: expected some words'],
  ['‸title: "a\\nb"\ndescription: D\ncovers: C', 'title: expected a single line'],
  [
    '‸title: 404\ndescription: D\ncovers: C',
    "title: expected a string, received 404. Put it in quotes: '404'.",
  ],
  [
    '‸title: 99999999999999999999\ndescription: D\ncovers: C',
    "title: …. Put it in quotes: '99999999999999999999'.",
  ],
  ['title: T\n‸description: ""\ncovers: C', 'description: is blank: expected some words'],
  ['‸title: T\ndescription: D', 'covers: is missing: expected a string'],
  ['title: T\ndescription: D\n‸covers:', 'covers: expected a string, received null'],
  [`${head}tags: [‸rate limit]`, 'tags.0: expected a word of a-z, 0-9 and "-"'],
  [`${head}tags: [‸429]`, "tags.0: expected a string, received 429. Put it in quotes: '429'."],
  [`${head}‸tags: []`, 'tags: expected a list of words'],
  [`${head}‸options: [n]`, 'options: expected a mapping, received a list'],
  [
    `${head}options:\n  ‸My_Option: { default: 1 }`,
    'options.My_Option: the name of an option must consist of a-z, …',
  ],
  [`${head}‸title: U`, ': Map keys must be unique: title exists already'],
  [`&a ${head}&b ‸title: U`, ': Map keys must be unique: title exists already'],
  [`${head}!!str ‸title: U`, ': Map keys must be unique: title exists already'],
  [`${head}tags: [&a a]\n*a : 1\n‸*a : 2`, ': Map keys must be unique: *a exists already'],
  [`‸${head}: 1\n: 2`, ': Map keys must be unique: an empty key exists already'],
  [`${head}: 1\n‸~: 2`, ': Map keys must be unique: ~ exists already'],
]

/** Mistakes after a sound head. */
const members: Mistake[] = [
  [
    'assume: {}\n‸websocket: []',
    'websocket: there is no such field; expected one of title, description, covers, tags, options, keys, quota, account, assume, records, recorded, respond, malform, fault….',
  ],
  ['assume: {}\n‸respnd: []', 'respnd: there is no such field; …. Did you mean "respond"?'],
  [
    'assume:\n  ‸plants.delete.unknwn: 204',
    'assume.plants.delete.unknwn: Failed …. Did you mean "plants.delete.unknown"?',
  ],
  [
    'assume:\n  ‸plants.delete.unknown: 205',
    'assume.plants.delete.unknown: Failed to set the assumption …',
  ],
  ['‸assume:\n  - plants.delete.unknown', 'assume: expected a mapping, received a list'],
  ['fault: [‸delay]', 'fault.0: expected a mapping, received "delay"'],
  ['‸fault: { kind: delay, fixed: 1s }', 'fault: expected a list, received a mapping'],
  ['assume: {}\n‸__proto__: { polluted: true }', '__proto__: there is no such field; …'],
  [
    'assume: {}\n‸constructor: { prototype: { polluted: true } }',
    'constructor: there is no such field; …',
  ],
  ['assume:\n  ‸__proto__: 204', 'assume.__proto__: the name "__proto__" is not allowed'],
  ['assume:\n  ‸constructor: 204', 'assume.constructor: Failed to set the assumption …'],
  ['assume:\n‸\tplants.delete.unknown: 204', ': tab characters must not be used in indentation'],
  ['assume: *‸nothing', ': unidentified alias "nothing"'],
  ['assume: &a { b: ‸*a }', ': an alias refers to a value that contains it'],
  ['assume: ‸!env { a: b }', ': unknown mapping tag !<!env>'],
  ['assume: {}\n‸---\ntitle: U', ': Source contains multiple documents: expected one in each file'],
  [
    `a: &a [x, x]\nb: &b [‸${'*a, '.repeat(20)}]\nc: &c [${'*b, '.repeat(20)}]\nd: [${'*c, '.repeat(20)}]`,
    ': aliases add more than 10000 values',
  ],
  [
    `respond:\n  - { status: 200, body: ${'['.repeat(96)}‸${'['.repeat(5)}${']'.repeat(101)} }`,
    ': nested deeper than 100 levels',
  ],
]

/** Files that have no head. */
const others: Mistake[] = [
  ...['- a', 'hello', '', '# nothing yet'].map((text): Mistake => [
    `‸${text}`,
    ': expected title, description, covers and effects',
  ]),
  [
    `‸${head}`,
    ': it has no effects: expected at least one of keys, quota, account, assume, records, recorded, respond, malform, fault…',
  ],
]

const files: Mistake[] = [
  ...Object.entries(items).flatMap(([name, mistakes]) =>
    mistakes.map(([item, problem]): Mistake => [
      `${head}${name}:\n  - ${item.includes('‸') ? '' : '‸'}{ ${item} }`,
      `${name}.${problem}`,
    ]),
  ),
  ...Object.entries(options).flatMap(([effect, mistakes]) =>
    mistakes.map(([declaration, problem]): Mistake => {
      const isMarked = (effect + declaration).includes('‸')
      const user = effect.replace(': ', ':\n  - ')
      return [`${head}options:\n  ${isMarked ? '' : '‸'}n: ${declaration}\n${user}`, problem]
    }),
  ),
  ...heads.map(([text, problem]): Mistake => [`${text}\nassume: {}`, problem]),
  ...members.map(([text, problem]): Mistake => [head + text, problem]),
  ...others,
]

test.each(files)(
  'a scenario file with a mistake is rejected at its place: %j',
  (marked, problem) => {
    const before = marked.slice(0, marked.indexOf('‸')).split('\n')
    const words = problem.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    expect(problemsIn({ 'own.yaml': `${marked.replace('‸', '')}\n` })).toEqual([
      expect.stringMatching(
        new RegExp(
          `^own\\.yaml:${before.length}:${before.at(-1)!.length + 1}: ${words.join('.*')}$`,
          's',
        ),
      ),
    ])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  },
)

test('text that is not UTF-8 is rejected at its place', () => {
  const text = Buffer.from('title: T\ndescription: caf\xe9\ncovers: C\nassume: {}\n', 'latin1')
  expect(problemsIn({ 'own.yaml': text })).toEqual(['own.yaml:2:17: : is not valid UTF-8'])
})

test("a file's name must be a free scenario name", () => {
  const text = `${head}assume: {}\n`
  expect(problemsIn({ 'My Scenario.yaml': text })).toEqual([
    'My Scenario.yaml:1:1: : the name "My Scenario" is not valid: expected only a-z, 0-9 and "-". Did you mean "my-scenario"?',
  ])
  expect(problemsIn({ '!!!.yaml': text })).toEqual([
    '!!!.yaml:1:1: : the name "!!!" is not valid: expected only a-z, 0-9 and "-"',
  ])
  expect(problemsIn({ 'own.yaml': text, 'own.yml': text })).toEqual([
    expect.stringMatching(/^own\.yml:1:1: : the name "own" is taken already, by .*own\.yaml$/),
  ])
})

test('a value that fits only with other values of other options is no mistake', () => {
  const declared =
    'options:\n  at: { default: /0/name }\n  kind: { values: [missing, duplicate], default: missing }\n'
  const problems = (at: string) =>
    problemsIn({
      'own.yaml': `${head}${declared}malform:\n  - { on: plants.list, kind: '\${kind}', at: ${at} }\n`,
    })
  expect(problems("'${at}'")).toEqual([])
  expect(problems('/0/name')).toEqual([
    'own.yaml:5:3: options.at: is not used: expected "${at}" in an effect',
    'own.yaml:6:29: options.kind.values.1: with "duplicate", malform.0.kind: "/0/name" can\'t be duplicate: it is neither an array nor an item of one',
  ])
})

test('a byte order mark, comments and Windows line ends are no mistake', () => {
  const text = `\ufeff# A comment\r\n${head}assume: {}\n`.replaceAll('\n', '\r\n')
  expect(problemsIn({ 'own.yaml': text })).toEqual([])
})

test('all problems of all files are reported at once, however many a member has', () => {
  const problems = problemsIn({
    'a.yaml': 'title: [',
    'b.yaml': head,
    'c.yaml': `${head}assume: { x: y }\nz: 1\n`,
    'd.yaml': `${head}quota:\n  - { window: day, remainng: 0, where: { plan: '\${m}' } }\n`,
  })
  expect(problems.map((problem) => problem.split('.yaml:')[0])).toEqual([
    'a',
    'b',
    'c',
    'c',
    'd',
    'd',
  ])
  expect(problems.slice(4)).toEqual([
    expect.stringMatching(/: quota\.0\.where\.plan: there is no option "m"\.$/),
    expect.stringMatching(/: quota\.0\.remainng: .*Did you mean "remaining"\?$/),
  ])
})

test.each([
  [50, /: no49: [^\n]*$/],
  [51, /\n… and 1 more; greenhouse-mock check lists all of them\.$/],
])('a message lists the first 50 problems: of %i', (count, end) => {
  const wrong = Object.fromEntries(Array.from({ length: count }, (_, at) => [`no${at}`, 1]))
  const whole = { title: 'T', description: 'D', covers: 'C', assume: { 'http.head': '404' } }
  expect(() => createGreenhouse({ scenarios: { own: { ...whole, ...wrong } as never } })).toThrow(
    end,
  )
})

test('mistakes in plain objects are reported with the name of the scenario', () => {
  const body: { self?: unknown } = {}
  body.self = body
  const wrong: [effects: Record<string, unknown>, problem: string][] = [
    [
      { malform: [{ on: 'plants.list', at: '/0', kind: 'broken' }] },
      'malform.0.kind: expected one of "missing", "null"',
    ],
    [
      { respond: [{ status: 200, body }, { status: 'x' }] },
      'respond.0.body.self: refers to a value that contains it',
    ],
    [
      {
        options: { n: { default: 500, values: [500, 501] } },
        respond: [{ status: 'x' }, { status: '${n}' }],
      },
      'respond.0.status: expected a number, received "x"',
    ],
    [
      { keys: [{ lose: true, forget: true }] },
      'keys.0: expected one of "expire: <duration>", "revoke: true"',
    ],
  ]
  for (const [effects, problem] of wrong)
    expect(() => createGreenhouse({ scenarios: own(effects) })).toThrow(
      `Failed to load scenarios: 1 problem.\nown: ${problem}`,
    )
})

test('a mistake in a chosen option is reported in the same words', () => {
  const scenarios = own({
    options: { window: { default: 'day' } },
    quota: [{ window: '${window}' }],
  })
  const world = createGreenhouse({ scenarios }).world()
  expect(() => world.use('own', { window: 'minutes' })).toThrow(
    'Failed to use "own": window: can\'t be "minutes": expected one of "minute", "day". Did you mean "minute"?',
  )
  expect(world.scenarios).toEqual([])
})

test.each(
  Object.entries(atLimits).flatMap(([name, items]) => items.map((item) => [name, item] as const)),
)('a value at its limit is no mistake: %s { %s }', (name, item) => {
  expect(problemsIn({ 'own.yaml': `${head}${name}:\n  - { ${item} }\n` })).toEqual([])
})

test('only a file of a folder can name the file of a recorded body', () => {
  const replies = [{ request: 'GET /plants', status: 200, file: 'plants.json' }]
  expect(() => createGreenhouse({ scenarios: own({ recorded: [{ replies }] }) as never })).toThrow(
    'recorded.0.replies.0.file: is read by loadScenarios() and --scenarios only',
  )
})
