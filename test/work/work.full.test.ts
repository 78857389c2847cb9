import { expect, test } from 'vitest'
import { createGreenhouse, type GreenhouseOptions } from 'greenhouse-mock'
import { suggest } from '../../src/core/text/messages.ts'
import { parseYaml } from '../../src/files/yaml.ts'

const size = 2 ** 20 - 100

/** Repeats a text up to the largest body. */
const fill = (text: string) => text.repeat(Math.floor(size / text.length))

/** Fields that a client has no use for, as large as the limit lets them be. */
const hostile: Readonly<Record<string, string>> = {
  'zeros and one long integer': `[${fill('0,')}1234567890123456]`,
  'long integers': `[${fill('1234567890123456,')}0]`,
  'raised integers': `[${fill('1e16,')}0]`,
  'numbers that are too small': `[${fill('1e-400,')}0]`,
  'a million digits': fill('9'),
  'an exponent of a million digits': `1e${fill('9')}`,
  'a fraction of a million zeros': `0.${fill('0')}1`,
  'empty objects': `[${fill('{},')}0]`,
  'nested lists': `[${fill('['.repeat(90) + ']'.repeat(90) + ',')}0]`,
  'lists that never end': fill('['),
  'many names': `{${Array.from({ length: 80_000 }, (_, index) => `"${index.toString(36)}":1`).join()}}`,
  'the same name': `{${fill('"__proto__":1,')}"a":1}`,
  escapes: `"${fill('\\u0041')}"`,
  quotes: `"${fill('\\"')}"`,
  'a string that never ends': `"${fill('\\\\')}`,
  blanks: `[${fill(' ')}]`,
  minuses: `[${fill('-')}]`,
  // The most values that are accepted.
  'few long integers': `[${'1234567890123456,'.repeat(49_000)}0]`,
  'few raised integers': `[${'1e16,'.repeat(49_000)}0]`,
  'few empty objects and a long integer': `[${'{},'.repeat(49_000)}1234567890123456]`,
  'few names': `{${Array.from({ length: 49_000 }, (_, index) => `"${index.toString(36)}":1`).join()},"x":1234567890123456}`,
}

test('no body takes much more work than one string of the same size', async () => {
  const benign = await workOfRequest(post(`{"id":5000,"name":"x","more":"${fill('a')}"}`))
  expect(benign.status).toBe(200)
  for (const [what, more] of Object.entries(hostile)) {
    const { work } = await workOfRequest(post(`{"id":5000,"name":"x","more":${more}}`))
    // One long integer among zeros took fifty times as much.
    expect(work, what).toBeLessThan(15 * benign.work + 25)
  }
})

const repeat = (text: string) => text.repeat(Math.floor(15_000 / text.length))

const plant = '{"id":5000,"name":"x"}'

test('no Content-Type takes much more work than another of the same length', async () => {
  const benign = await workOfRequest(
    post(plant, { 'content-type': `application/json; profile=${repeat('a')}` }),
  )
  expect(benign.status).toBe(200)
  for (const hostile of [
    `charset=${repeat(' ')}"x"y`,
    `charset="${repeat('\\"')}`,
    `charset=${repeat('"')}`,
    repeat(';'),
    repeat('='),
    repeat('charset='),
    repeat(' ;'),
    repeat('\t'),
    `charset${repeat(' ')}=${repeat(' ').slice(0, 500)}x`,
  ]) {
    const { work } = await workOfRequest(
      post(plant, { 'content-type': `application/json;${hostile}` }),
    )
    // Spaces before a quote took ten seconds at a fifth of this length.
    expect(work, hostile.slice(0, 40)).toBeLessThan(10 * benign.work + 20)
  }
})

test.each([
  ['"x"y', 400],
  ['"utf-8"', 200],
])('after many spaces, a charset of %s is answered with %i', async (charset, status) => {
  const type = `application/json; charset=${' '.repeat(3_000)}${charset}`
  expect((await workOfRequest(post(plant, { 'content-type': type }))).status).toBe(status)
})

test('a scenario in a header makes no more records than its caller can see', async () => {
  const list = (scenario: string) => () =>
    new Request('http://greenhouse.test/v1/apps', {
      headers: { authorization: 'Bearer key_pro', 'x-greenhouse-scenario': scenario },
    })
  const benign = await workOfRequest(list('huge-store:count=500'))
  const hostile = await workOfRequest(list('huge-store:count=5000'))
  expect([benign.status, hostile.status]).toEqual([200, 200])
  expect(hostile.work).toBeLessThan(40 * benign.work + 50)
  const { status, body } = await workOfRequest(list('huge-store:count=5001'))
  expect([status, JSON.parse(body).error.message]).toEqual([
    400,
    expect.stringContaining('a whole number of records from 1 to 5000'),
  ])
})

/**
 * The least processor time that a request takes to be answered in process, in milliseconds, and the
 * last reply.
 */
async function workOfRequest(
  makeRequest: () => Request,
  options: GreenhouseOptions = {},
): Promise<{ work: number; status: number; body: string }> {
  let work = Infinity
  let status = 0
  let body = ''
  for (let time = 0; time < 5; time++) {
    const greenhouse = createGreenhouse(options)
    greenhouse.world().records.plants.all()
    const request = makeRequest()
    const before = process.cpuUsage()
    const reply = await greenhouse.fetch(request)
    body = await reply.text()
    const { user, system } = process.cpuUsage(before)
    work = Math.min(work, (user + system) / 1_000)
    status = reply.status
  }
  return { work, status, body }
}

/** A POST of a plant with these headers and this body. */
function post(body: string, headers: Record<string, string> = {}): () => Request {
  return () =>
    new Request('http://greenhouse.test/plants', {
      method: 'POST',
      headers: { authorization: 'Bearer key_lite', 'content-type': 'application/json', ...headers },
      body,
    })
}

const long = 'a'.repeat(2 ** 20)

test('a name of a million characters takes no more work than a short one', () => {
  const known = createGreenhouse()
    .scenarios()
    .map(({ name }) => name)
  const many = (name: string) => () => {
    for (let time = 0; time < 20; time++) suggest(name, known)
  }
  // It took two seconds.
  expect(workOf(many(long))).toBeLessThan(20 * workOf(many('expird-key')) + 20)
})

test('only a limited number of thousands of names is compared', () => {
  const names = Array.from(
    { length: 200_000 },
    (_, index) => `world-${String(index).padStart(50, 'x')}`,
  )
  expect(workOf(() => suggest('world-'.padEnd(56, 'y'), names))).toBeLessThan(
    30 * workOf(() => suggest('world-'.padEnd(56, 'y'), names.slice(0, 1_000))) + 30,
  )
})

test('a misspelt name still gets a suggestion', () => {
  expect(suggest('expird-key', ['slow', 'expired-key'])).toBe(' Did you mean "expired-key"?')
  expect(suggest('zzz', ['slow', 'expired-key'])).toBe('')
  expect(suggest('', ['a'])).toBe('')
})

const count = 20_000
const mapText = Array.from({ length: count }, (_, index) => `k${index}: 1\n`).join('')
const listText = Array.from({ length: count }, (_, index) => `- k${index}\n`).join('')

test('a map of many keys takes hardly more work than a list of as many items', () => {
  expect(parseYaml('x.yaml', mapText).problems).toEqual([])
  // Each key was compared with all before it: it took ten times as much.
  expect(workOf(() => parseYaml('x.yaml', mapText), 2)).toBeLessThan(
    5 * workOf(() => parseYaml('x.yaml', listText), 2),
  )
})

test('many problems in one map are placed without going over it for each', () => {
  const map = parseYaml('x.yaml', mapText)
  const list = parseYaml('x.yaml', listText)
  const locateAll = (file: typeof map, step: (index: number) => PropertyKey) => () => {
    for (let index = 0; index < count; index++)
      file.locate({ file: 'x.yaml', path: [step(index)], message: 'x' })
  }
  expect(map.locate({ file: 'x.yaml', path: ['k19999'], message: 'x' })).toMatchObject({
    line: 20_000,
    column: 1,
  })
  const ofMap = locateAll(map, (index) => `k${index}`)
  const ofList = locateAll(list, (index) => index)
  expect(workOf(ofMap, 2)).toBeLessThan(20 * workOf(ofList, 2) + 20)
})

test('a duplicate key is still reported with its place, even when it is written differently', () => {
  const problemsOf = (text: string) =>
    parseYaml('x.yaml', text).problems.map(
      ({ line, column, message }) => `${line}:${column}: ${message}`,
    )
  expect(problemsOf('a: 1\nb:\n  d: { e: 1, "e": 2 }\na: 3\n')).toEqual([
    '3:14: Map keys must be unique: e exists already',
  ])
  expect(problemsOf("1: a\n'1': b\n")).toEqual(['2:1: Map keys must be unique: 1 exists already'])
})

/**
 * The processor time that something synchronous takes, in milliseconds: the least of several times,
 * since whatever else runs can only add to it. Only ever compare it with that of other work on the
 * same machine.
 */
function workOf(run: () => unknown, times = 5): number {
  let least = Infinity
  for (let time = 0; time < times; time++) {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}
