import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { loadScenarios } from 'greenhouse-mock/node'
import { problemsOf } from '../support/problems.ts'

const head = 'title: T\ndescription: D\ncovers: C\n'

/** A head, an option and an effect that uses it. */
const option = (declaration: string, effect = "quota:\n  - { window: '${n}' }") =>
  `${head}options:\n  n: ${declaration}\n${effect}\n`

const member = (name: string, fields: string) => `${head}${name}:\n  - { ${fields} }\n`

/** A scenario file with one mistake, and the one problem that it must be: its place and its words, `…` for any. */
const mistakes: [mistake: string, text: string | Uint8Array, problem: string][] = [
  ['a missing title', 'description: D\ncovers: C\nassume: {}\n', '1:1: title: is missing: expected a string'],
  ['a blank title', 'title: " "\ndescription: D\ncovers: C\nassume: {}\n', '1:1: title: is blank: expected some words'],
  [
    'a title of two lines',
    'title: "a\\nb"\ndescription: D\ncovers: C\nassume: {}\n',
    '1:1: title: expected a single line',
  ],
  [
    'a number as a title',
    'title: 404\ndescription: D\ncovers: C\nassume: {}\n',
    "1:1: title: expected a string, received 404. Put it in quotes: '404'.",
  ],
  [
    'an empty description',
    'title: T\ndescription: ""\ncovers: C\nassume: {}\n',
    '2:1: description: is blank: expected some words',
  ],
  [
    'missing words on what it covers',
    'title: T\ndescription: D\nassume: {}\n',
    '1:1: covers: is missing: expected a string',
  ],
  [
    'nothing on what it covers',
    'title: T\ndescription: D\ncovers:\nassume: {}\n',
    '3:1: covers: expected a string, received null',
  ],
  [
    'an unknown member',
    `${head}assume: {}\nwebsocket: []\n`,
    '5:1: websocket: there is no such field; expected one of title, description, covers, tags, options, keys, quota, account, assume, records, respond, malform, fault….',
  ],
  [
    'an unknown member with a near name',
    `${head}assume: {}\nrespnd: []\n`,
    '5:1: respnd: there is no such field; …. Did you mean "respond"?',
  ],
  [
    'a scenario in which nothing happens',
    head,
    '1:1: : it has no effects: expected at least one of keys, quota, account, assume, records, respond, malform, fault…',
  ],
  ['a list instead of a mapping', '- a\n', '1:1: : expected title, description, covers and effects'],
  ['a text instead of a mapping', 'hello\n', '1:1: : expected title, description, covers and effects'],
  ['an empty file', '', '1:1: : expected title, description, covers and effects'],
  ['a file of comments', '# nothing yet\n', '1:1: : expected title, description, covers and effects'],

  [
    'a payment of no kind',
    member('payments', 'charge: renewel'),
    '5:7: payments.0.charge: expected "purchase", "upgrade", "renewal", or a list of them, received "renewel"',
  ],
  [
    'a renewal that fails later',
    member('payments', 'charge: renewal, outcome: fails-later'),
    '5:24: payments.0.outcome: only a purchase can fail later: expected "declined", or "charge: purchase"',
  ],
  [
    'a payment with a key',
    member('payments', 'charge: renewal, where: { key: key_pro }'),
    '5:33: payments.0.where.key: there is no such field; expected one of plan, account.',
  ],

  [
    'an option without a default',
    option('{ values: [minute] }'),
    '5:3: options.n.default: is missing: expected a string, a number, true or false',
  ],
  ['an option that is a text', option('minute'), '5:3: options.n: expected a mapping, received "minute"'],
  ['a list of options', `${head}options: [n]\nassume: {}\n`, '4:1: options: expected a mapping, received a list'],
  [
    'an option with a name that can not be written in a header',
    `${head}options:\n  My_Option: { default: 1 }\nassume: {}\n`,
    '5:3: options.My_Option: the name of an option must consist of a-z, 0-9 and "-", and begin with a letter',
  ],
  [
    'an unknown type of an option',
    option('{ type: int, default: 1 }'),
    '5:8: options.n.type: expected one of "string", "integer", "number", "boolean", "duration"',
  ],
  [
    'a default that is none of the values',
    option('{ values: [minute], default: hour }'),
    '5:26: options.n.default: expected one of "values"',
  ],
  [
    'a default that is nearly one of the values',
    option('{ values: [minute, day], default: minutes }'),
    '5:31: options.n.default: expected one of "values". Did you mean "minute"?',
  ],
  [
    'a default of another type',
    option('{ type: integer, default: few }'),
    '5:23: options.n.default: expected a value of type integer',
  ],
  [
    'a value of another type than the default',
    option('{ values: [minute, 5], default: minute }'),
    '5:25: options.n.values.1: expected a value of type string, like the default',
  ],
  [
    'null among the values',
    option('{ values: [minute, null], default: minute }'),
    '5:25: options.n.values.1: expected a string, a number, true or false, received null',
  ],
  [
    'a value that is listed twice',
    option('{ values: [minute, day, minute], default: day }'),
    '5:30: options.n.values.2: "minute" is listed already',
  ],
  [
    'a value that an effect can not take',
    option('{ values: [minute, dy], default: minute }'),
    '5:25: options.n.values.1: with "dy", quota.0.window: expected one of "minute", "day". Did you mean "day"?',
  ],
  [
    'a value that names no operation',
    option('{ values: [plants.list, apps.lst], default: plants.list }', "respond:\n  - { on: '${n}', status: 500 }"),
    '5:30: options.n.values.1: with "apps.lst", respond.0.on: no operation is called "apps.lst". Did you mean "apps.list"?',
  ],
  [
    'a default that an effect can not take',
    option('{ default: hour }'),
    '7:7: quota.0.window: expected one of "minute", "day"',
  ],
  [
    'a switch that an effect takes in one position only',
    option('{ default: true }', "keys:\n  - { revoke: '${n}' }"),
    '5:3: options.n: with false, keys.0.revoke: expected true',
  ],
  [
    'a default below the least',
    option('{ type: integer, min: 1, default: 0 }', "quota:\n  - { window: day, remaining: '${n}' }"),
    '5:31: options.n.default: expected a whole number, 1 or more',
  ],
  [
    'a least that an effect can not take',
    option('{ type: integer, min: -1, default: 0 }', "quota:\n  - { window: day, remaining: '${n}' }"),
    '5:23: options.n.min: with -1, quota.0.remaining: expected at least 0, received -1',
  ],
  [
    'bounds of an option that are swapped',
    option('{ type: integer, min: 5, max: 3, default: 4 }', "quota:\n  - { window: day, remaining: '${n}' }"),
    '5:31: options.n.max: expected max to be at least min',
  ],
  [
    'bounds of a text',
    option('{ min: 1, default: day }'),
    '5:8: options.n.min: applies to numbers only: expected type integer or number, not string',
  ],
  [
    'a fraction as a bound of whole numbers',
    option('{ min: 0.5, default: 1, type: integer }', "quota:\n  - { window: day, remaining: '${n}' }"),
    '5:8: options.n.min: expected a value of type integer',
  ],
  [
    'a length of time that is none by default',
    option('{ type: duration, default: soon }', "keys:\n  - { expire: '${n}' }"),
    '5:24: options.n.default: expected a value of type duration',
  ],
  ['a tag of two words', `${head}tags: [rate limit]\nassume: {}\n`, '4:8: tags.0: expected a word of a-z, 0-9 and "-"'],
  [
    'a large number as a title',
    'title: 99999999999999999999\ndescription: D\ncovers: C\nassume: {}\n',
    "1:1: title: expected a string, received 99999999999999999999. Put it in quotes: '99999999999999999999'.",
  ],
  [
    'a tag that is a number',
    `${head}tags: [429]\nassume: {}\n`,
    "4:8: tags.0: expected a string, received 429. Put it in quotes: '429'.",
  ],
  ['no tags', `${head}tags: []\nassume: {}\n`, '4:1: tags: expected a list of words'],
  [
    'an option that is used nowhere',
    option('{ default: day }', 'quota:\n  - { window: day }'),
    '5:3: options.n: is not used: expected "${n}" in an effect',
  ],
  [
    'a field of an option that is split by a comma',
    option('{ description: This, that, default: day }'),
    '5:27: options.n.that: there is no such field; expected one of description, type, min, max, unit, values, default.',
  ],
  [
    'a placeholder without an option',
    member('respond', "on: 'plants.${which}', status: 500"),
    '5:7: respond.0.on: there is no option "which".',
  ],
  [
    'a placeholder with a near name',
    option('{ default: day }', "quota:\n  - { window: '${n}', where: { account: '${nn}' } }"),
    '7:32: quota.0.where.account: there is no option "nn". Did you mean "n"?',
  ],
  [
    'a placeholder that is not closed',
    option('{ default: day }', "quota:\n  - { window: '${n}', where: { key: '${n' } }"),
    '7:32: quota.0.where.key: a placeholder has no end: expected "}" after "${"',
  ],

  [
    'an unknown operation',
    member('respond', 'on: plants.lst, status: 500'),
    '5:7: respond.0.on: no operation is called "plants.lst". Did you mean "plants.list"?',
  ],
  [
    'a pattern of no operation',
    member('respond', 'on: plant.*, status: 500'),
    '5:7: respond.0.on: no operation is called "plant.*". Did you mean "plants.*"?',
  ],
  [
    'one unknown operation in a list',
    member('respond', 'on: [plants.list, apps.lst], status: 500'),
    '5:25: respond.0.on.1: no operation is called "apps.lst". Did you mean "apps.list"?',
  ],
  [
    'a number in place of an operation',
    member('respond', 'on: 5, status: 500'),
    '5:7: respond.0.on: expected the id of an operation, a glob such as "plants.*", or a list of them, received 5',
  ],
  [
    'an unknown plan',
    member('account', 'plan: gold'),
    '5:7: account.0.plan: expected one of "free", "lite", "pro", "pro_plus"',
  ],
  [
    'a plan with a capital',
    member('account', 'plan: Pro'),
    '5:7: account.0.plan: expected one of "free", "lite", "pro", "pro_plus". Did you mean "pro"?',
  ],
  [
    'an unknown condition',
    member('account', 'plan: free, where: { colour: red }'),
    '5:28: account.0.where.colour: there is no such field; expected one of plan, account, key.',
  ],
  [
    'an unknown condition with a near name',
    member('account', 'plan: free, where: { acount: a }'),
    '5:28: account.0.where.acount: there is no such field; expected one of plan, account, key. Did you mean "account"?',
  ],
  [
    'a key that is a number',
    member('account', 'plan: free, where: { key: 5 }'),
    "5:28: account.0.where.key: expected a string, received 5. Put it in quotes: '5'.",
  ],
  [
    'a probability above 1',
    member('respond', 'status: 500, probability: 1.5'),
    '5:20: respond.0.probability: expected at most 1, received 1.5',
  ],
  [
    'a probability in percent',
    member('respond', 'status: 500, probability: 50%'),
    '5:20: respond.0.probability: expected a number, received "50%"',
  ],
  [
    'a probability that is no number',
    member('respond', 'status: 500, probability: .nan'),
    '5:20: respond.0.probability: expected a number, received NaN',
  ],
  ['no times', member('respond', 'status: 500, times: 0'), '5:20: respond.0.times: expected more than 0, received 0'],
  [
    'one and a half times',
    member('respond', 'status: 500, times: 1.5'),
    '5:20: respond.0.times: expected an integer, received 1.5',
  ],
  [
    'a number in quotes',
    member('respond', "status: 500, times: '2'"),
    '5:20: respond.0.times: expected a number, received "2". Write it without quotes.',
  ],
  [
    'every nought-th request',
    member('respond', 'status: 500, every: 0'),
    '5:20: respond.0.every: expected more than 0, received 0',
  ],
  [
    'after a negative number',
    member('respond', 'status: 500, after: -1'),
    '5:20: respond.0.after: expected at least 0, received -1',
  ],

  [
    'an unknown assumption',
    `${head}assume:\n  plants.delete.unknwn: 204\n`,
    '5:3: assume.plants.delete.unknwn: Failed to set the assumption …. Did you mean "plants.delete.unknown"?',
  ],
  [
    'a value that an assumption does not have',
    `${head}assume:\n  plants.delete.unknown: 205\n`,
    '5:3: assume.plants.delete.unknown: Failed to set the assumption …',
  ],
  [
    'a list of assumptions',
    `${head}assume:\n  - plants.delete.unknown\n`,
    '4:1: assume: expected a mapping, received a list',
  ],
  [
    'a key that neither expires nor is revoked',
    member('keys', 'where: { plan: pro }'),
    '5:5: keys.0: expected one of "expire: <duration>", "revoke: true", …',
  ],
  [
    'a length of time that is none',
    member('keys', 'expire: soon'),
    '5:7: keys.0.expire: expected a duration, such as "90s", "5m", "2h" or "1d"',
  ],
  [
    'a length of time without a unit',
    member('keys', "expire: '90'"),
    '5:7: keys.0.expire: expected a duration, such as "90s", …',
  ],
  [
    'a negative length of time',
    member('keys', 'expire: -90s'),
    '5:7: keys.0.expire: expected a duration, such as "90s", …',
  ],
  [
    'an unknown scope',
    member('keys', 'without: plants:writ'),
    '5:7: keys.0.without: expected one of …. Did you mean "plants:write"?',
  ],
  [
    'a negative number of requests',
    member('quota', 'window: minute, remaining: -1'),
    '5:23: quota.0.remaining: expected at least 0, received -1',
  ],
  ['an unknown window', member('quota', 'window: hour'), '5:7: quota.0.window: expected one of "minute", "day"'],
  [
    'a missing window',
    member('quota', 'remaining: 1'),
    '5:5: quota.0.window: is missing: expected one of "minute", "day"',
  ],
  [
    'an unknown collection',
    member('records', 'collection: plnts, keep: none'),
    '5:7: records.0.collection: there is no such collection; expected one of …. Did you mean "plants"?',
  ],
  [
    'records with nothing about them',
    member('records', 'collection: plants'),
    '5:5: records.0: expected "keep: none" or "add: <number>"',
  ],
  [
    'no further records',
    member('records', 'collection: plants, add: 0'),
    '5:27: records.0.add: expected at least 1, received 0',
  ],
  [
    'records that can not be made up',
    member('records', 'collection: keys, add: 3'),
    '5:25: records.0.add: records of "keys" can\'t be generated, only those of plants, apps can',
  ],
  [
    'an unknown malformation',
    member('malform', 'on: plants.list, at: /0, kind: broken'),
    '5:32: malform.0.kind: expected one of …',
  ],
  [
    'null in place of "null"',
    member('malform', 'on: plants.list, at: /0/name, kind: null'),
    "5:37: malform.0.kind: expected one of …. Put it in quotes: 'null'.",
  ],
  [
    'a pointer that is none',
    member('malform', 'on: plants.list, at: 0/name, kind: missing'),
    '5:24: malform.0.at: Invalid JSON pointer: expected something like "/0/name"',
  ],

  [
    'a reply without error or status',
    member('respond', 'on: plants.list'),
    '5:5: respond.0: expected "error" or "status"',
  ],
  [
    'an unknown error',
    member('respond', 'error: notfound'),
    '5:7: respond.0.error: expected one of …. Did you mean "not_found"?',
  ],
  [
    'a status that is none',
    member('respond', 'status: 99'),
    '5:7: respond.0.status: expected at least 200, received 99',
  ],
  [
    'a status that is too large a number',
    member('respond', 'status: 99999999999999999999'),
    '5:7: respond.0.status: expected a smaller number, received 99999999999999999999',
  ],
  [
    'an error and a body',
    member('respond', 'error: not_found, body: {}'),
    '5:5: respond.0: expected only one of "error", "body" and "text"',
  ],
  [
    'a body and a text',
    member('respond', 'status: 200, body: {}, text: hello'),
    '5:5: respond.0: expected only one of "error", "body" and "text"',
  ],
  [
    'a message without an error',
    member('respond', 'status: 404, message: gone'),
    '5:20: respond.0.message: expected "error" beside it',
  ],
  [
    'a body beside a status that has none',
    member('respond', 'status: 204, body: {}'),
    '5:5: respond.0: expected no "error" and no "body": a reply with this status has no body',
  ],
  [
    'a body that JSON can not say',
    member('respond', 'status: 200, body: { a: [1, .inf] }'),
    '5:35: respond.0.body.a.1: is not a valid JSON number: Infinity',
  ],
  [
    'a field with a near name',
    member('respond', 'status: 200, header: {}'),
    '5:20: respond.0.header: there is no such field; expected one of error, message, status, headers, body, text, …. Did you mean "headers"?',
  ],
  [
    'a line break in a header',
    member('respond', 'status: 200, headers: { X-A: "a\\r\\nSet-Cookie: b" }'),
    '5:31: respond.0.headers.X-A: Invalid header: expected printable ASCII',
  ],
  [
    'true as a header',
    member('respond', 'status: 200, headers: { X-A: true }'),
    '5:31: respond.0.headers.X-A: expected a string or a number, received true',
  ],
  [
    'a header name that is none',
    member('respond', 'status: 200, headers: { "X A": a }'),
    '5:31: respond.0.headers.X A: Invalid header name',
  ],
  [
    'a line break in the name of a header',
    member('respond', 'status: 200, headers: { "X\\r\\nY": a }'),
    '5:31: respond.0.headers.X\r\nY: Invalid header name',
  ],
  ...['content-length', 'Connection', 'Keep-Alive', 'Trailer', 'Upgrade', 'TE'].map(
    (name): [string, string, string] => [
      `the framing header ${name}`,
      member('respond', `status: 200, headers: { ${name}: "5" }`),
      `5:31: respond.0.headers.${name}: Invalid header: Greenhouse sets it itself`,
    ],
  ),

  [
    'an unknown fault',
    member('fault', 'kind: dely, fixed: 1s'),
    '5:7: fault.0.kind: there is no kind "dely"; expected one of bad-utf8, clock-skew, delay, …. Did you mean "delay"?',
  ],
  [
    'a fault without a kind',
    member('fault', 'fixed: 1s'),
    '5:5: fault.0.kind: is missing: expected one of "bad-utf8", "clock-skew", …',
  ],
  ['a fault that is a word', `${head}fault: [delay]\n`, '4:9: fault.0: expected a mapping, received "delay"'],
  [
    'a single fault without a list',
    `${head}fault: { kind: delay, fixed: 1s }\n`,
    '4:1: fault: expected a list, received a mapping',
  ],
  [
    'a field of another fault',
    member('fault', 'kind: reset, fixed: 1s'),
    '5:20: fault.0.fixed: there is no such field; expected one of kind, loses, on, where, times, after, every, probability.',
  ],
  [
    'a field of a fault with a near name',
    member('fault', 'kind: delay, fixed: 1s, probabilty: 1'),
    '5:31: fault.0.probabilty: there is no such field; …. Did you mean "probability"?',
  ],
  [
    'a delay of two kinds',
    member('fault', 'kind: delay, fixed: 1s, uniform: { min: 1s, max: 2s }'),
    '5:5: fault.0: expected one of "fixed", "uniform" and "lognormal"',
  ],
  [
    'true as a length of time',
    member('fault', 'kind: delay, fixed: true'),
    '5:20: fault.0.fixed: expected a string or a number, received true',
  ],
  [
    'bounds that are swapped',
    member('fault', 'kind: delay, uniform: { min: 2s, max: 1s }'),
    '5:20: fault.0.uniform: expected max to be at least min',
  ],
  [
    'a bound that is missing',
    member('fault', 'kind: delay, uniform: { min: 2s }'),
    '5:20: fault.0.uniform.max: is missing: expected a string or a number',
  ],
  [
    'a negative sigma',
    member('fault', 'kind: delay, lognormal: { median: 1s, sigma: -1 }'),
    '5:45: fault.0.lognormal.sigma: expected at least 0, received -1',
  ],
  [
    'a body cut before its start',
    member('fault', 'kind: truncate, at: -1'),
    '5:23: fault.0.at: expected at least 0, received -1',
  ],
  [
    'a body that drips not at all',
    member('fault', 'kind: drip, bytes_per_second: 0'),
    '5:19: fault.0.bytes_per_second: expected at least 1, received 0',
  ],
  [
    'an unknown thing that is lost',
    member('fault', 'kind: timeout, loses: repl'),
    '5:22: fault.0.loses: expected one of "request", "reply". Did you mean "reply"?',
  ],
  [
    'headers with nothing done to them',
    member('fault', 'kind: headers'),
    '5:5: fault.0: expected "set", "remove" or "repeat"',
  ],
  [
    'a framing header that a fault sets',
    member('fault', 'kind: headers, set: { transfer-encoding: chunked }'),
    '5:29: fault.0.set.transfer-encoding: Invalid header: Greenhouse sets it itself',
  ],

  [
    '__proto__ as a member',
    `${head}assume: {}\n__proto__: { polluted: true }\n`,
    '5:1: __proto__: there is no such field; …',
  ],
  [
    'constructor as a member',
    `${head}assume: {}\nconstructor: { prototype: { polluted: true } }\n`,
    '5:1: constructor: there is no such field; …',
  ],
  [
    '__proto__ as a field',
    member('respond', 'status: 200, __proto__: { polluted: true }'),
    '5:20: respond.0.__proto__: there is no such field; …',
  ],
  [
    '__proto__ as a header',
    member('respond', 'status: 200, headers: { __proto__: a }'),
    '5:31: respond.0.headers.__proto__: the name "__proto__" is not allowed',
  ],
  [
    '__proto__ as an assumption',
    `${head}assume:\n  __proto__: 204\n`,
    '5:3: assume.__proto__: the name "__proto__" is not allowed',
  ],
  [
    'constructor as an assumption',
    `${head}assume:\n  constructor: 204\n`,
    '5:3: assume.constructor: Failed to set the assumption …',
  ],
  [
    'constructor as a placeholder',
    member('respond', "status: 200, text: '${constructor}'"),
    '5:20: respond.0.text: there is no option "constructor".',
  ],

  ['a name that comes twice', `${head}title: U\nassume: {}\n`, '4:1: : Map keys must be unique: title exists already'],
  ['a tab', `${head}assume:\n\tplants.delete.unknown: 204\n`, '5:1: : tab characters must not be used in indentation'],
  ['an alias of nothing', `${head}assume: *nothing\n`, '4:10: : unidentified alias "nothing"'],
  [
    'an alias in what it refers to',
    `${head}assume: &a { b: *a }\n`,
    '4:17: : an alias refers to a value that contains it',
  ],
  [
    'aliases that grow without end',
    `${head}a: &a [x, x]\nb: &b [${'*a, '.repeat(20)}]\nc: &c [${'*b, '.repeat(20)}]\nd: [${'*c, '.repeat(20)}]\n`,
    '5:8: : aliases add more than 10000 values',
  ],
  ['a tag that means something elsewhere', `${head}assume: !env { a: b }\n`, '4:9: : unknown mapping tag !<!env>'],
  [
    'a second document',
    `${head}assume: {}\n---\ntitle: U\n`,
    '5:1: : Source contains multiple documents: expected one in each file',
  ],
  [
    'lists in lists in lists',
    member('respond', `status: 200, body: ${'['.repeat(101)}${']'.repeat(101)}`),
    '5:122: : nested deeper than 100 levels',
  ],
  [
    'text that is not UTF-8',
    Buffer.from('title: T\ndescription: caf\xe9\ncovers: C\nassume: {}\n', 'latin1'),
    '2:17: : is not valid UTF-8',
  ],
]

for (const [mistake, text, problem] of mistakes)
  test(`${mistake} is a problem with its place`, () => {
    const expected = problem.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    expect(problemsOf({ 'own.yaml': text }, loadScenarios)).toEqual([
      expect.stringMatching(new RegExp(`^own\\.yaml:${expected.join('.*')}$`, 's')),
    ])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

test('a file name that is no name of a scenario is a problem', () => {
  expect(problemsOf({ 'My Scenario.yaml': `${head}assume: {}\n` }, loadScenarios)).toEqual([
    'My Scenario.yaml:1:1: : the name "My Scenario" is not valid: expected only a-z, 0-9 and "-". Did you mean "my-scenario"?',
  ])
  expect(problemsOf({ '!!!.yaml': `${head}assume: {}\n` }, loadScenarios)).toEqual([
    '!!!.yaml:1:1: : the name "!!!" is not valid: expected only a-z, 0-9 and "-"',
  ])
})

test('two files of the same name are a problem', () => {
  const text = `${head}assume: {}\n`
  expect(problemsOf({ 'own.yaml': text, 'own.yml': text }, loadScenarios)).toEqual([
    expect.stringMatching(/^own\.yml:1:1: : the name "own" is taken already, by .*own\.yaml$/),
  ])
})

test('a value that fits only with other values of other options is no mistake', () => {
  const options = 'options:\n  at: { default: /0/name }\n  kind: { values: [missing, duplicate], default: missing }\n'
  const fields = "on: plants.list, kind: '${kind}'"
  expect(
    problemsOf({ 'own.yaml': `${head}${options}malform:\n  - { ${fields}, at: '\${at}' }\n` }, loadScenarios),
  ).toEqual([])
  expect(
    problemsOf({ 'own.yaml': `${head}${options}malform:\n  - { ${fields}, at: /0/name }\n` }, loadScenarios),
  ).toEqual([
    'own.yaml:6:29: options.kind.values.1: with "duplicate", malform.0.kind: "/0/name" can\'t be duplicate: it is neither an array nor an item of one',
    'own.yaml:5:3: options.at: is not used: expected "${at}" in an effect',
  ])
})

test('a header may be a number, written or chosen', async () => {
  const scenario = {
    title: 'T',
    description: 'D',
    covers: 'C',
    options: { seconds: { default: 120 } },
    respond: [{ status: 503, headers: { 'Retry-After': '${seconds}', 'X-Count': 5 } }],
  }
  const greenhouse = createGreenhouse({ scenarios: { own: scenario } })
  greenhouse.world('default').use('own')
  const { headers } = await greenhouse.fetch(new Request('http://any/plants'))
  expect([headers.get('retry-after'), headers.get('x-count')]).toEqual(['120', '5'])
})

test('a byte order mark, comments and Windows line ends are no mistake', () => {
  expect(
    problemsOf({ 'own.yaml': `\ufeff# A comment\r\n${head}assume: {}\n`.replaceAll('\n', '\r\n') }, loadScenarios),
  ).toEqual([])
})

test('all problems of all files are reported at once', () => {
  const problems = problemsOf(
    { 'a.yaml': 'title: [', 'b.yaml': head, 'c.yaml': `${head}assume: { x: y }\nz: 1\n` },
    loadScenarios,
  )
  expect(problems.map((problem) => problem.split(':')[0])).toEqual(['a.yaml', 'b.yaml', 'c.yaml', 'c.yaml'])
})

test('mistakes in plain objects are reported with the name of the scenario', () => {
  const scenario = {
    title: 'T',
    description: 'D',
    covers: 'C',
    malform: [{ on: 'plants.list', at: '/0', kind: 'broken' }],
  }
  expect(() => createGreenhouse({ scenarios: { own: scenario } })).toThrow(
    'Failed to load scenarios: 1 problem.\nown: malform.0.kind: expected one of "missing", "null"',
  )
})

test('a mistake in a chosen option is reported in the same words', () => {
  const scenario = {
    title: 'T',
    description: 'D',
    covers: 'C',
    options: { window: { default: 'day' } },
    quota: [{ window: '${window}' }],
  }
  const world = createGreenhouse({ scenarios: { own: scenario } }).world('default')
  expect(() => world.use('own', { window: 'minutes' })).toThrow(
    'Failed to use "own": the option "window" can\'t be "minutes": expected one of "minute", "day". Did you mean "minute"?',
  )
  expect(world.scenarios).toEqual([])
})

test('an option that does not exist hides no other mistake of its member', () => {
  const text = option(
    '{ values: [minute, day], default: day }',
    "quota:\n  - { window: '${n}', remainng: 0, where: { plan: '${m}' } }",
  )
  expect(problemsOf({ 'own.yaml': text }, loadScenarios)).toEqual([
    expect.stringMatching(/: quota\.0\.where\.plan: there is no option "m"\.$/),
    expect.stringMatching(/: quota\.0\.remainng: .*Did you mean "remaining"\?$/),
  ])
})

test('an object that holds itself is a problem', () => {
  const body: { self?: unknown } = {}
  body.self = body
  const scenario = { title: 'T', description: 'D', covers: 'C', respond: [{ status: 200, body }] }
  expect(() => createGreenhouse({ scenarios: { own: scenario } })).toThrow(
    'Failed to load scenarios: 1 problem.\nown: nested deeper than 100 levels',
  )
})
