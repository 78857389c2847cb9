import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGreenhouse, DataError } from 'greenhouse-mock'
import { defineConfig, definePlugin } from 'greenhouse-mock/config'
import { serve } from 'greenhouse-mock/server'
import { run } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { connectOverHttp } from '../support/mcp.ts'
import { open } from '../support/test-api.ts'

/** How a door names the place of a mistake, and the rest of what it says. */
type Told = readonly [place: string, sentence: string]

function split(text: string): Told {
  const [, place = '', sentence = text] =
    /(\S+?):? ((?:is missing: |expected |there is no |must |is required)[^]*)$/.exec(text) ?? []
  return [place, sentence.trim().replace(/\.$/, '')]
}

async function thrownBy(act: () => unknown): Promise<string> {
  try {
    await act()
  } catch (error) {
    return error instanceof DataError ? error.message.split('\n')[1]! : (error as Error).message
  }
  return 'nothing: expected a mistake'
}

const options = (given: object) => thrownBy(() => createGreenhouse(given))

/** What each door says of a mistake, from the name of the place on. */
const doors = {
  /** An option of a function. */
  code: async (act: () => unknown) =>
    split((await thrownBy(act)).replace(/^Failed to call [\w.]+\(\): /, '')),
  option: async (given: object) =>
    split((await options(given)).replace('Failed to call createGreenhouse(): ', '')),
  async flag(line: string) {
    const { stderr } = await run(line.split(' '))
    return split(stderr.split('\n')[0]!)
  },
  async variable(pair: string) {
    const [name, value] = pair.split('=') as [string, string]
    const command =
      name === 'GREENHOUSE_WORLD' ? 'status' : name === 'GREENHOUSE_SCENARIO' ? 'openapi' : 'config'
    const { stderr } = await run([command], { env: { ...process.env, [name]: value } })
    return split(stderr.split('\n')[0]!)
  },
  async config(text: string) {
    const file = join(writeFolder({ 'greenhouse.config.yaml': text }), 'greenhouse.config.yaml')
    const { stderr } = await run(['config'], { env: { ...process.env, GREENHOUSE_CONFIG: file } })
    return split(/yaml:\d+:\d+: (.*)/.exec(stderr)![1]!)
  },
  async control([method, path, body]: [string, string, unknown]) {
    await using server = await serve(createGreenhouse())
    const init = {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    const reply = await fetch(`${server.url}/__greenhouse${path}`, init)
    return split(((await reply.json()) as { error: { message: string } }).error.message)
  },
  async mcp([tool, given]: [string, Record<string, unknown>]) {
    await using server = await serve(createGreenhouse())
    return split(await (await connectOverHttp(server.url)).fail(tool, given))
  },
  fixture: async (record: object) =>
    split((await options({ fixtures: { plants: [record] } })).replace(/^[^:]+: /, '')),
  scenario: async (effects: object) => {
    const own = { title: 'T', description: 'D', covers: 'C', ...effects }
    return split((await options({ scenarios: { own } })).replace(/^[^:]+: /, ''))
  },
  async area([path, body]: [string, object]) {
    const { body: told } = await open().call(path === '/v1/subscription' ? 'PUT' : 'POST', path, {
      body,
    })
    return split(String(told.message ?? told.error.message))
  },
} satisfies Readonly<Record<string, (mistake: never) => Promise<Told>>>

const greenhouse = createGreenhouse()
const serving = (given: object) => () => serve(greenhouse, given)
const configured = (given: object) => () => defineConfig(given as never)
const tooLong = 'x'.repeat(65)
const plant = { id: 1, name: 'Fern', account: 'acct_pro' }

type Door = keyof typeof doors
type Row = {
  readonly [Name in Door]?:
    | Parameters<(typeof doors)[Name]>[0]
    | readonly Parameters<(typeof doors)[Name]>[0][]
}

/** Mistakes, by what every door says of them, but for the name of the place. */
const mistakes: Readonly<Record<string, Row>> = {
  'there is no such name. Did you mean "seed"?': {
    option: { sed: 1 },
    code: [configured({ sed: 1 }), () => greenhouse.world().reset({ sed: 1 } as never)],
    flag: 'serve --sed 1',
    variable: 'GREENHOUSE_SED=1',
    config: 'sed: 1',
    control: ['PUT', '/worlds/a', { sed: 1 }],
  },
  'there is no such name. Did you mean "name"?': {
    fixture: { ...plant, nmae: 'Fern' },
    code: () => definePlugin({ name: 'shop', nmae: 'shop' } as never),
  },
  'there is no such name. Did you mean "advance"?': {
    control: ['PATCH', '/worlds/default/clock', { advnce: '2h' }],
    mcp: ['clock', { advnce: '2h' }],
  },
  'there is no such name. Did you mean "status"?': { scenario: { respond: [{ statu: 500 }] } },
  'expected a whole number, such as 7, received "x"': {
    option: { seed: 'x' },
    code: [configured({ seed: 'x' }), () => greenhouse.world().reset({ seed: 'x' } as never)],
    flag: 'serve --seed x',
    variable: 'GREENHOUSE_SEED=x',
    config: 'seed: x',
    control: ['PUT', '/worlds/a', { seed: 'x' }],
  },
  'expected a whole number, such as 7, received 1.5': {
    option: { seed: 1.5 },
    config: 'seed: 1.5',
    control: ['PUT', '/worlds/a', { seed: 1.5 }],
  },
  'expected true or false, received "maybe"': {
    option: { frozen: 'maybe' },
    code: [
      configured({ strict: 'maybe' }),
      () => greenhouse.world().reset({ frozen: 'maybe' } as never),
    ],
    variable: ['GREENHOUSE_FROZEN=maybe', 'GREENHOUSE_STRICT=maybe'],
    config: 'frozen: maybe',
    control: [
      ['PUT', '/worlds/a', { frozen: 'maybe' }],
      ['PATCH', '/worlds/default/clock', { frozen: 'maybe' }],
    ],
    mcp: ['clock', { frozen: 'maybe' }],
    area: ['/v1/apps', { name: 'Shop', login_required: 'maybe' }],
  },
  'expected a whole number from 0 to 65535, such as 4010, received 70000': {
    code: [serving({ port: 70_000 }), configured({ port: 70_000 })],
    flag: 'serve --port 70000',
    variable: 'GREENHOUSE_PORT=70000',
    config: 'port: 70000',
  },
  'expected a whole number from 0 to 65535, such as 4010, received "abc"': {
    code: [serving({ port: 'abc' }), configured({ port: 'abc' })],
    flag: 'serve --port abc',
    variable: 'GREENHOUSE_PORT=abc',
    config: 'port: abc',
  },
  'expected visible ASCII characters, such as "s3cret", received something else': {
    code: [serving({ token: 'schlüssel' }), configured({ token: 'schlüssel' })],
    flag: 'serve --token schlüssel',
    variable: 'GREENHOUSE_TOKEN=schlüssel',
    config: 'token: schlüssel',
  },
  'expected one of "pretty", "json", "silent". Did you mean "json"?': {
    code: configured({ log: 'jsn' }),
    flag: 'serve --log jsn',
    variable: 'GREENHOUSE_LOG=jsn',
    config: 'log: jsn',
  },
  'expected an origin (scheme, host and port, as browsers send it), or *, such as "https://app.example.com", received "http://x/"':
    {
      option: { cors: ['http://x/'] },
      code: configured({ cors: ['http://x/'] }),
      flag: 'serve --cors http://x/',
      variable: 'GREENHOUSE_CORS=http://x/',
      config: 'cors: ["http://x/"]',
    },
  'expected an address or a host name of this machine, without a port, such as "127.0.0.1", received "a/b"':
    {
      code: [serving({ host: 'a/b' }), configured({ host: 'a/b' })],
      flag: 'serve --host a/b',
      variable: 'GREENHOUSE_HOST=a/b',
      config: 'host: a/b',
    },
  'expected one of "free", "lite", "pro", "pro_plus". Did you mean "pro"?': {
    scenario: { account: [{ plan: 'Pro' }] },
    area: ['/v1/subscription', { plan: 'Pro' }],
  },
  'is missing: expected a string': {
    fixture: { id: 1, account: 'acct_pro' },
    control: ['POST', '/worlds/default/events', {}],
    area: ['/v1/apps', {}],
  },
  'expected a string, received 7': {
    control: ['POST', '/worlds/default/events', { type: 7 }],
    fixture: { ...plant, name: 7 },
    area: [
      ['/plants', { id: 1, name: 7 }],
      ['/v1/apps', { name: 7 }],
    ],
  },
  'expected a list, received "slow"': {
    control: ['PUT', '/worlds/default/scenarios', { active: 'slow' }],
  },
  'expected 1 to 64 of the characters A-Z a-z 0-9 . _ -, such as checkout, received TOO LONG': {
    flag: `status --world ${tooLong}`,
    variable: `GREENHOUSE_WORLD=${tooLong}`,
  },
  'expected a status: a class such as "4xx", a whole number from 100 to 599, or 0 for a request that got no reply, received "4x"':
    {
      code: () => greenhouse.world().journal.calls({ status: '4x' as never }),
      flag: 'log --status 4x',
      control: ['GET', '/worlds/default/journal?status=4x', undefined],
      mcp: ['assert_requests', { status: '4x' }],
    },
  'expected a path from the root of the service, such as "/v1/apps" or "/v1/apps/*", received "plants". Did you mean "/plants"?':
    {
      code: () => greenhouse.world().journal.calls({ path: 'plants' }),
      flag: 'log --path plants',
      control: ['GET', '/worlds/default/journal?path=plants', undefined],
      mcp: ['requests', { path: 'plants' }],
    },
  'there is no method "GTE". Did you mean "GET"?': {
    code: () => greenhouse.world().journal.calls({ method: 'GTE' }),
    flag: 'log --method GTE',
    control: ['GET', '/worlds/default/journal?method=GTE', undefined],
    mcp: ['requests', { method: 'GTE' }],
  },
  'expected a number of bytes, such as 64MiB, received "1k"': {
    flag: ['serve --memory 1k', 'serve --body-limit 1k'],
    variable: ['GREENHOUSE_MEMORY=1k', 'GREENHOUSE_BODY_LIMIT=1k'],
  },
  'expected a whole number of milliseconds, 0 or more, received "1.5s"': {
    option: { use: ['slow:ms=1.5s'] },
    code: [
      () => greenhouse.world().use('slow:ms=1.5s' as never),
      () => greenhouse.world().useOnly(['slow:ms=1.5s'] as never),
    ],
    config: 'use: ["slow:ms=1.5s"]',
    flag: 'serve --scenario slow:ms=1.5s',
    control: ['POST', '/worlds/default/scenarios', { active: ['slow:ms=1.5s'] }],
    mcp: ['use_scenario', { scenario: 'slow:ms=1.5s' }],
  },
}

/** The nouns of names, what is expected of them, and the advice for YAML belong to a door. */
function toCommon(sentence: string): string {
  return sentence
    .replace(
      /there is no such \w+(; expected one of .*)?\. Did you mean "(--|GREENHOUSE_)?(\w+)"\?/i,
      (...found) => `there is no such name. Did you mean "${String(found[3]).toLowerCase()}"?`,
    )
    .replace(/^must be /, 'expected ')
    .replace(/^is required$/, 'is missing: expected a string')
    .replace(/\. Put it in quotes: .*/, '')
    .replace(`"${tooLong}"`, 'TOO LONG')
}

/** A client of the areas gets its own value back from nobody. */
const withoutValue = (sentence: string) => sentence.replace(/, received .*/, '')

const rows = Object.entries(mistakes).flatMap(([sentence, row]) =>
  Object.entries(row).flatMap(([door, given]) => {
    const areMany =
      Array.isArray(given) &&
      (door === 'code' || door === 'variable' || door === 'flag' || Array.isArray(given[0]))
    return (areMany ? (given as unknown[]) : [given]).map(
      (one) => [door as Door, one, sentence] as const,
    )
  }),
)

test('there are at least 60 mistakes', () => expect(rows.length).toBeGreaterThanOrEqual(60))

test.each(rows)('%s %j is told: %s', async (door, given, sentence) => {
  const [place, told] = await (doors[door] as (mistake: unknown) => Promise<Told>)(given)
  expect(place).not.toBe('')
  expect(toCommon(told)).toBe(door === 'area' ? withoutValue(sentence) : sentence)
})
