import { expect, test } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'
import { loadScenarios } from '../../src/node/index.ts'
import { problemsOf } from '../support/problems.ts'

const head = 'title: T\ndescription: D\ncovers: C\n'

/** A scenario file with one mistake, and the place and the words of the problem that it must be. */
const mistakes: [mistake: string, text: string, problem: string][] = [
  ['a missing title', 'description: D\ncovers: C\nassume: {}\n', '1:1: title: Invalid input: expected string, received undefined'],
  ['an unknown member', `${head}assume: {}\nrespnd: []\n`, '5:1: respnd: there is no such member;'],
  ['an unknown member with a near name', `${head}assume: {}\nrespnd: []\n`, 'Did you mean "respond"?'],
  ['a scenario in which nothing happens', head, '1:1: : nothing happens in it: expected keys, quota, account, assume, records, respond, malform, fault'],
  ['a list instead of a mapping', '- a\n', '1:1: : expected title, description, covers and effects'],
  ['an empty file', '', '1:1: : expected title, description, covers and effects'],
  ['an option without a default', `${head}options:\n  how: { values: [a] }\nassume: {}\n`, '5:3: options.how.default: Invalid input'],
  ['a default that is none of the values', `${head}options:\n  how: { values: [a], default: b }\nassume: {}\n`, '5:23: options.how.default: expected one of the values'],
  ['a field of an option that is split by a comma', `${head}options:\n  how: { description: This, that, default: b }\nassume: {}\n`, '5:29: options.how.that: there is no such field'],
  ['a placeholder without an option', `${head}respond:\n  - { on: 'plants.\${which}', status: 500 }\n`, '5:7: respond.0.on: there is no option "which"'],
  ['an unknown kind', `${head}malform:\n  - { at: /0, kind: broken }\n`, '5:15: malform.0.kind: Invalid option: expected one of "missing"'],
  ['a pointer that is none', `${head}malform:\n  - { at: 0/name, kind: missing }\n`, '5:7: malform.0.at: Invalid JSON pointer'],
  ['an unknown assumption', `${head}assume:\n  plants.delete.unknwn: 204\n`, '5:3: assume.plants.delete.unknwn: Failed to set the assumption'],
  ['a value that an assumption does not have', `${head}assume:\n  plants.delete.unknown: 205\n`, '5:3: assume.plants.delete.unknown: Failed to set the assumption'],
  ['a reply without error or status', `${head}respond:\n  - { on: plants.list }\n`, '5:5: respond.0: expected "error" or "status"'],
  ['a status that is none', `${head}respond:\n  - { status: 99 }\n`, '5:7: respond.0.status: Too small'],
  ['a body beside a status that has none', `${head}respond:\n  - { status: 204, body: {} }\n`, '5:5: respond.0: expected no "error" and no "body"'],
  ['a line break in a header', `${head}respond:\n  - { status: 200, headers: { X-A: "a\\r\\nSet-Cookie: b" } }\n`, '5:31: respond.0.headers.X-A: Invalid header: expected printable ASCII'],
  ['a header name that is none', `${head}respond:\n  - { status: 200, headers: { "X A": a } }\n`, '5:31: respond.0.headers.X A: Invalid header name'],
  ['a header that frames the reply', `${head}respond:\n  - { status: 200, headers: { content-length: "5" } }\n`, '5:31: respond.0.headers.content-length: Invalid header: it is sent as the reply needs it'],
  ['a negative number of requests', `${head}quota:\n  - { window: minute, remaining: -1 }\n`, '5:23: quota.0.remaining: Too small'],
  ['an unknown window', `${head}quota:\n  - { window: hour }\n`, '5:7: quota.0.window: Invalid option: expected one of "minute"|"day"'],
  ['an unknown plan', `${head}account:\n  - { plan: gold }\n`, '5:7: account.0.plan: Invalid option'],
  ['an unknown condition', `${head}account:\n  - { plan: free, where: { colour: red } }\n`, '5:28: account.0.where.colour: there is no such field'],
  ['a length of time that is none', `${head}keys:\n  - { expire: soon }\n`, '5:7: keys.0.expire: expected a length of time, such as "90s"'],
  ['a key that neither expires nor is revoked', `${head}keys:\n  - { where: { plan: pro } }\n`, '5:5: keys.0: expected one of "expire: <length of time>", "revoke: true"'],
  ['__proto__ as a member', `${head}assume: {}\n__proto__: { polluted: true }\n`, '5:1: __proto__: there is no such member'],
]

for (const [mistake, text, problem] of mistakes)
  test(`${mistake} is a problem with its place`, () => {
    const problems = problemsOf({ 'own.yaml': text }, loadScenarios)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(problem.startsWith('Did') ? problem : `own.yaml:${problem}`)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

test('a file name that is no name of a scenario is a problem', () => {
  expect(problemsOf({ 'My Scenario.yaml': `${head}assume: {}\n` }, loadScenarios)).toEqual([expect.stringContaining('the name "My Scenario" is not valid')])
})

test('all problems of all files are told at once', () => {
  const problems = problemsOf({ 'a.yaml': 'title: [', 'b.yaml': head, 'c.yaml': `${head}assume: { x: y }\nz: 1\n` }, loadScenarios)
  expect(problems.map((problem) => problem.split(':')[0])).toEqual(['a.yaml', 'b.yaml', 'c.yaml', 'c.yaml'])
})

test('mistakes in plain objects are told with the name of the scenario', () => {
  const scenario = { title: 'T', description: 'D', covers: 'C', malform: [{ at: '/0', kind: 'broken' }] }
  expect(() => createGreenhouse({ scenarios: { own: scenario } })).toThrow('Failed to load scenarios: 1 problem.\nown: malform.0.kind: Invalid option')
})
