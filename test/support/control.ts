import { expect, test } from 'vitest'
import { serve, type RunningServer } from 'greenhouse-mock/server'
import {
  createGreenhouse,
  type Greenhouse,
  type GreenhouseOptions,
  type World,
} from 'greenhouse-mock'
import { type ControlDocument, findUndocumented, openDocument } from './control-document.ts'
import {
  createCaller,
  createFetcher,
  start,
  toAnswer,
  toInit,
  type Answer,
  type Client,
} from './test-api.ts'

export type ControlReply = Answer

export interface Controlled {
  greenhouse: Greenhouse
  world: World
  server: RunningServer
  control(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ControlReply>
  call(path: string, init?: RequestInit): Promise<Response>
  /** The same with a JSON body, and with what was answered. */
  api: Client['call']
}

type ControlTest = (controlled: Controlled) => Promise<void>

/** A test of a server. Its Greenhouse has the options, if there are some. */
export function testControl(
  title: string,
  ...rest: [ControlTest] | [GreenhouseOptions, ControlTest]
): void {
  const [options, run] = rest.length === 1 ? [{}, rest[0]] : rest
  test(title, async () => {
    const greenhouse = createGreenhouse({ now: start, ...options })
    await using server = await serve(greenhouse)
    await run({
      greenhouse,
      world: greenhouse.world(),
      server,
      control: (method, path, body, headers) => control(server, method, path, body, headers),
      call: createFetcher(server.url),
      api: createCaller((path, init) => fetch(server.url + path, init)),
    })
  })
}

/** Makes a control call; a string is sent as it is. */
export async function control(
  { url }: RunningServer,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ControlReply> {
  const init = toInit(method, { key: null, body, headers })
  const reply = await toAnswer(await fetch(`${url}/__greenhouse${path}`, init))
  // The document of a server with collections or a token of its own says the same about every other
  // one.
  documentOfAll ??= serve(createGreenhouse()).then((server) =>
    openDocument(server).finally(() => server.close()),
  )
  const undocumented = findUndocumented(await documentOfAll, `${method} ${path}`, reply)
  expect(undocumented, `${method} ${path}: ${reply.text.slice(0, 300)}`).toEqual([])
  return reply
}

let documentOfAll: Promise<ControlDocument> | undefined

export function expectControlError(
  { status, body }: Pick<ControlReply, 'status' | 'body'>,
  expected: number,
  code: string,
  message: RegExp = /./,
): void {
  const error = { code, message: expect.stringMatching(message) }
  expect({ status, body }).toEqual({ status: expected, body: { error } })
}

export async function expectInvalid(reply: Promise<ControlReply>, message?: RegExp): Promise<void> {
  expectControlError(await reply, 400, 'invalid_request', message)
}

/** Everything of every world, as it is now: a record that is changed later is another object. */
export function stateOf(greenhouse: Greenhouse): unknown {
  return greenhouse.worlds().map((name) => {
    const { seed, active, assumptions, snapshots, records, journal, clock } = greenhouse.world(name)
    const data = Object.values(records).map((collection) => collection.all())
    const rest = { name, seed, active, assumptions, snapshots, journal: journal.size }
    return { ...structuredClone(rest), data, frozen: clock.frozen }
  })
}
