import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { toCaseText } from 'greenhouse-mock'
import { readEvidence, toCardMarkdown, toCardText } from 'greenhouse-mock/evidence'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { toFingerprint } from '../support/fingerprint.ts'
import { run } from '../support/cli.ts'
import { connectOverHttp } from '../support/mcp.ts'
import { readEvents } from '../support/events.ts'
import { times } from '../support/soak.ts'
import { writeFolder } from '../support/folder.ts'
import { watchOutputs } from '../support/outputs.ts'
import { all, leaksOf, looksLike, names, own, plant, secrets, withKeys } from './leaks.ts'

test('requests leak no secret to logs, journal, streams, cases, evidence, exports or deliveries', async () => {
  const greenhouse = createGreenhouse()
  const world = greenhouse.world()
  await using server = await serve(greenhouse)
  const watched = await watchOutputs(greenhouse, server)
  const events = await readEvents(server, '/events?types=request,world,records')
  const known = await plant(greenhouse)
  const outs: Record<string, string> = await watched.read()
  const paths = 'evidence case deliveries export records/keys records/webhooks quotas due'.split(
    ' ',
  )
  for (const path of [...paths.map((one) => `worlds/default/${one}`), 'worlds', 'start'])
    outs[path] = await (await fetch(`${server.url}/__greenhouse/${path}`)).text()
  outs['events'] = JSON.stringify(events.events)
  events.close()
  const { card } = readEvidence([world])
  Object.assign(outs, {
    card: JSON.stringify(card),
    text: toCardText(card),
    Markdown: toCardMarkdown(card),
  })
  Object.assign(outs, {
    violations: JSON.stringify(world.journal.violations()),
    toCase: toCaseText(world.toCase()),
  })
  for (const [name, text] of Object.entries(outs)) expect(text.length, name).toBeGreaterThan(100)
  expect(leaksOf(outs, known)).toEqual([])
  for (const it of known) expect(outs['har']).toContain(toFingerprint(it))
})

test('no answer to a coding agent shows a secret of a request', async () => {
  const greenhouse = createGreenhouse()
  await using server = await serve(greenhouse)
  const known = await plant(greenhouse)
  const { client } = await connectOverHttp(server.url)
  const outs: Record<string, string> = {}
  const use = async (name: string, given: Record<string, unknown>) => {
    const answer = await client.callTool({ name, arguments: given })
    outs[`${name} ${JSON.stringify(given)}`] = JSON.stringify(answer)
    return answer.structuredContent as { data?: { id: number }[]; next?: object } | undefined
  }
  // Each page of a case has the whole case written.
  const follow = async (name: string, given: object = {}, next: object | undefined = {}) => {
    for (let pages = 0; next && pages < (name === 'save_case' ? times(40, 2) : 40); pages++)
      next = (await use(name, { ...given, ...next }))?.next
  }
  const { tools } = await client.listTools()
  for (const { name } of tools) if (name !== 'reset_world') await use(name, {})
  await follow('requests', { limit: 100 })
  await follow('save_case')
  for (const collection of ['keys', 'webhooks', 'deliveries', 'apps', 'plants'])
    await follow('records', { collection })
  const { data = [] } = (await use('requests', { search: 'apps', limit: 100 })) ?? {}
  for (const { id } of data.filter((_, index) => index % times(1, 10) === 0)) {
    await use('explain_request', { id })
    for (const body_of of ['request', 'response']) await use('explain_request', { id, body_of })
  }
  expect(Object.keys(outs).length).toBeGreaterThan(times(100, 40))
  expect(leaksOf(outs, known)).toEqual([])
  const errors: Record<string, string> = {}
  for (const [tool, field] of Object.entries({
    requests: 'operation',
    control: 'action',
    records: 'search',
    clock: 'now',
  }))
    for (const it of Object.values(looksLike))
      errors[`error ${Object.keys(errors).length}`] = JSON.stringify(
        await client.callTool({ name: tool, arguments: { [field]: it, limit: it } }),
      )
  expect(leaksOf(errors)).toEqual([])
})

test('errors contain no secret of a request', async () => {
  const greenhouse = createGreenhouse()
  await using server = await serve(greenhouse)
  const outs: Record<string, string> = {}
  for (const secret of secrets)
    greenhouse.world().records.keys.create({ secret, account: 'acct_pro' })
  for (const it of [...Object.values(looksLike), own]) {
    for (const name of names.split(' '))
      outs[`${name} ${it}`] = await (
        await fetch(`${server.url}/plants`, { headers: { [name]: it } })
      ).text()
    for (const path of ' worlds/ keys/ records/ snapshots/ journal?operation= journal/'.split(' '))
      outs[path + it] = await (
        await fetch(
          `${server.url}/__greenhouse/${/^(|worlds.)$/.test(path) ? '' : 'worlds/default/'}${path}${it}`,
        )
      ).text()
  }
  expect(leaksOf(outs)).toEqual([])
})

test('MSW prints no secret of a request to the console of a page', async () => {
  const bases = { plants: 'http://greenhouse.test', apps: 'http://greenhouse.test/v1' }
  const handlers = createHandlers(createGreenhouse({ fixtures: withKeys }), bases)
  const printed: unknown[] = []
  for (const name of ['log', 'groupCollapsed'] as const)
    vi.spyOn(console, name).mockImplementation(
      (...all: unknown[]) =>
        void printed.push(...all.filter((one) => !(one instanceof Object && 'resolver' in one))),
    )
  for (const [path, init] of all) {
    const request = new Request(`http://greenhouse.test${path}`, init)
    const response = await getResponse(handlers, request.clone())
    if (response) await handlers.at(-1)!.log({ request, response })
  }
  vi.restoreAllMocks()
  expect(printed.length).toBeGreaterThan(300)
  expect(leaksOf({ console: JSON.stringify(printed) }, Object.values(looksLike))).toEqual([])
})

test.each(['pretty', 'json'].slice(0, times(2, 1)))(
  'run --log %s prints and writes no secret of a request',
  async (log) => {
    const sent = all.map(([path, { body, ...init } = {}]) => [
      path,
      { ...init, ...(body && { body: String(body) }) },
    ])
    const folder = writeFolder({
      summary: '',
      'sent.json': JSON.stringify(sent),
      'known/keys.json': JSON.stringify(withKeys),
    })
    const script = `(async () => {
    for (const [path, init] of require(${JSON.stringify(join(folder, 'sent.json'))}))
      await (await fetch(process.env.GREENHOUSE_URL + path, init)).text()
  })()`
    const env = {
      ...process.env,
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    }
    const flags =
      `--log ${log} --fixtures ${join(folder, 'known')} --coverage --report-card --artifacts ${join(folder, 'out')}`.split(
        ' ',
      )
    const { stdout, stderr } = await run(['run', ...flags, '--', process.execPath, '-e', script], {
      env,
    })
    const files = readdirSync(join(folder, 'out'))
    for (const ending of ['.html', '.json', '.xml', '.md', '.yaml'])
      expect(files.join(' ')).toContain(ending)
    expect(stderr).toContain('::warning title=contract::')
    const outs = Object.fromEntries(
      files.map((name) => [name, name + readFileSync(join(folder, 'out', name), 'utf8')]),
    )
    outs['summary'] = readFileSync(join(folder, 'summary'), 'utf8')
    expect(leaksOf({ stdout, stderr, ...outs }, Object.values(looksLike))).toEqual([])
  },
)
