import { codedError } from '../core/text/error-codes.ts'
import * as z from 'zod/mini'
import type { BaseUrls } from '../adapters/base-urls.ts'
import { createWithHooks } from '../api/assembly/create.ts'
import { greenhouseSchemas } from '../api/options.ts'
import type { Greenhouse, GreenhouseOptions } from '../api/greenhouse.ts'
import type { NoNames, OwnNames } from '../catalogue/inferred-names.ts'
import type { FlipSettings, WorldsReport } from '../contract/flip/index.ts'
import { findNode } from '../core/contract/platform.ts'
import { givenOf, type WithCallerStack } from '../core/contract/options.ts'
import { flag, section, type SchemasOf, text } from '../core/store/options.ts'
import { type JournalEntry, toEntry } from '../core/journal/journal-entry.ts'
import type { LoggedRequest } from '../core/journal/log-events.ts'
import { toClientUrl } from '../core/http/urls.ts'
import { monotonicNow } from '../core/time/clock.ts'
import { collectEvidence } from '../evidence/collect.ts'
import type { LoadedConfig } from '../files/load-config.ts'
import { hasBases, toBases } from './reach.ts'

export function onTopOf<T extends TestGreenhouseOptions>(
  { greenhouse, bases }: LoadedConfig,
  options: T,
): T {
  const given = givenOf(options)
  const defaults = { ...greenhouse }
  // A case and fixtures exclude each other.
  if (given.case) delete defaults.fixtures
  if (given.fixtures) delete defaults.case
  // Tests keep their own default: `strict: false` is meant for a server.
  if (!defaults.strict) delete defaults.strict
  const assumptions = { ...defaults.assumptions, ...given.assumptions }
  return {
    ...defaults,
    ...bases,
    ...given,
    assumptions,
  }
}

/** The checks of strict tests. Each is on unless it is `false`. */
export interface StrictChecks {
  /**
   * A request that names no world gets 400, and the test fails. Without this check, it reaches the
   * world `default`.
   */
  world?: boolean | undefined
  /**
   * A request that matches no operation makes the test fail. With base URLs, requests below them
   * never reach the network.
   */
  operation?: boolean | undefined
  /** A request that breaks the contract gets 400, as with `createGreenhouse({ strict: true })`. */
  contract?: boolean | undefined
}

/** The options of the Greenhouse that tests use. */
export interface TestGreenhouseOptions<Own extends OwnNames = NoNames> extends Omit<
  GreenhouseOptions<Own>,
  'strict'
> {
  /**
   * Makes a test fail when a request names no world or matches no operation, and answers 400 to a
   * request that breaks the contract. Without it only a request that names no world makes a test
   * fail; with `false` such a request reaches the world `default`, which all tests share.
   */
  strict?: boolean | StrictChecks | undefined
}

const checks: SchemasOf<StrictChecks> = {
  world: flag,
  operation: flag,
  contract: flag,
}

export const strictSchema = z.pipe(
  z.transform((given) => (typeof given === 'boolean' ? {} : given)),
  section(checks, 'true, false, or an object of checks (world, operation, contract)'),
)

const baseUrl = text('an absolute URL, such as "http://localhost:3000"', (url) => URL.canParse(url))

export const testSchemas: SchemasOf<TestGreenhouseOptions & BaseUrls> = {
  ...greenhouseSchemas,
  strict: strictSchema,
  plants: baseUrl,
  apps: baseUrl,
}

const lenient: StrictChecks = {
  operation: false,
  contract: false,
}

export function toStrictChecks(strict: boolean | StrictChecks = lenient): Required<StrictChecks> {
  if (typeof strict === 'boolean')
    return {
      world: strict,
      operation: strict,
      contract: strict,
    }
  return {
    world: true,
    operation: true,
    contract: true,
    ...givenOf(strict),
  }
}

export interface WatchedGreenhouse {
  readonly greenhouse: Greenhouse
  saveEvidence(): void
  /** @throws StrayRequestError for requests that came while no test ran */
  close(): void
}

type ToUrl = (path: string, host?: string | string[]) => string

/** The Greenhouse of tests: it notes stray requests, and what the reports of a run need. */
export function createWatched(
  { strict, ...options }: TestGreenhouseOptions,
  unhandled: UnhandledRequests,
  bases: BaseUrls,
  create: WithCallerStack = (work) => work(),
): WatchedGreenhouse {
  const toUrl: ToUrl = hasBases(bases)
    ? toClientUrl(toBases(bases))
    : (path, host) => {
        if (typeof host === 'string') return `http://${host}${path}`
        return path
      }
  const { world, operation, contract } = toStrictChecks(strict)
  const flip = joinFlip()
  const all: GreenhouseOptions = { ...options }
  if (contract) all.strict = true
  if (flip) all.assumptions = { ...options.assumptions, ...flip.assumptions }
  const greenhouse: Greenhouse = create(() =>
    createWithHooks(all, {
      onWorldless: world
        ? (request) => unhandled.add(describeWorldless(greenhouse, request, toUrl))
        : undefined,
      onAssumptionRead: flip?.onAssumptionRead,
    }),
  )
  const saveEvidence = collectForRun(greenhouse, flip)
  greenhouse.requests.observe((record) => {
    if (world && unhandled.hasEnded(record.world, record.startedAt)) {
      const { request, world } = toEntry(record)
      unhandled.add(`${request.method} ${request.url} came after the end of the test that had the world ${world}.
    Wait for all requests before a test ends.`)
      // The request created it again.
      void Promise.resolve().then(() => greenhouse.deleteWorld(record.world))
    } else if (operation && record.operation === undefined)
      unhandled.add(describeUnknownRequest(toEntry(record), toUrl), record.world)
  })
  const close = () => {
    saveEvidence()
    greenhouse.close()
    unhandled.end()
  }
  return {
    greenhouse,
    saveEvidence,
    close,
  }
}

function describeWorldless(greenhouse: Greenhouse, request: LoggedRequest, toUrl: ToUrl): string {
  const url = toUrl(greenhouse.showUrl(request), request.headers['host'])
  return `${request.method} ${url} names no world.\n    ${howToNameWorld}`
}

const howToNameWorld =
  "It got 400: without a world, all tests would share one. Give the client the base URLs of the fixture `api` (api.plantsUrl, api.appsUrl), or a key of this test's world: api.key('key_pro')."

function describeUnknownRequest({ request, near_misses = [] }: JournalEntry, toUrl: ToUrl): string {
  const suggestions = near_misses.map(
    ({ method, path, operation }) => `${method} ${path} (${operation})`,
  )
  const hint =
    suggestions.length > 0
      ? `Did you mean ${suggestions.join(' or ')}?`
      : 'No operation is similar: `npx greenhouse-mock routes` lists them all.'
  return `${request.method} ${toUrl(request.url, request.headers['host'])}: no operation has this method and path.\n    ${hint}`
}

export interface RunningTest {
  readonly world: string
  readonly found: { readonly count: number }
  end(): void
}

const max = 20

class DistinctTexts {
  readonly texts = new Set<string>()
  count = 0

  add(text: string): void {
    this.count++
    if (this.texts.size < max) this.texts.add(text)
  }
}

export class UnhandledRequests {
  readonly #running = new Set<{
    readonly world: string
    readonly found: DistinctTexts
  }>()
  /** When tests ended, on the monotonic clock, by their world. */
  readonly #ended = new Map<string, number>()
  #left = new DistinctTexts()

  /**
   * Adds a stray request. @param world its world. If that belongs to a running test, that test
   * fails. Otherwise all running tests fail, since any may have sent it.
   */
  add(request: string, world?: string): void {
    const running = [...this.#running]
    const owner = running.find((test) => test.world === world)
    if (owner) owner.found.add(request)
    else if (running.length === 0)
      this.#left.add(`${request}\n    It arrived while no test was running.`)
    else {
      const ofAny = `\n    ${running.length} tests ran at that time. Any of them may have sent it, so all of them fail.`
      for (const test of running) test.found.add(running.length === 1 ? request : request + ofAny)
    }
  }

  begin(world: string): RunningTest {
    this.#ended.delete(world)
    const test = {
      world,
      found: new DistinctTexts(),
    }
    this.#running.add(test)
    return {
      ...test,
      end: () => {
        this.#running.delete(test)
        this.#ended.set(world, monotonicNow())
        assertNoTexts(test.found)
      },
    }
  }

  /**
   * Returns whether the test with this world had ended at a time on the monotonic clock. A reply
   * may end later than its test.
   */
  hasEnded(world: string, at: number): boolean {
    return at > (this.#ended.get(world) ?? Infinity)
  }

  forgetEnded(): void {
    this.#ended.clear()
  }

  end(): void {
    const left = this.#left
    this.#left = new DistinctTexts()
    this.#ended.clear()
    assertNoTexts(left)
  }
}

function assertNoTexts({ texts, count }: DistinctTexts) {
  if (count === 0) return
  const lines = [...texts].map((text) => `  ${text}`)
  const more = count > lines.length ? [`  (${count} in all)`] : []
  const error = codedError(
    'GREENHOUSE_ASTRAY',
    [
      `Greenhouse: ${count === 1 ? 'a request went' : `${count} requests went`} astray.`,
      ...lines,
      ...more,
    ].join('\n'),
  )
  error.name = 'StrayRequestError'
  // The stack does not point to the request.
  error.stack = String(error)
  throw error
}

let saved = 0

function joinFlip() {
  const text = findNode()?.env['GREENHOUSE_FLIP']
  if (!text) return undefined
  const consulted = new Set<string>()
  return {
    ...(JSON.parse(text) as FlipSettings),
    consulted,
    onAssumptionRead: (id: string) => void consulted.add(id),
  }
}

/**
 * For the reports of `greenhouse-mock flip` and `greenhouse-mock run`, which requests it with
 * GREENHOUSE_EVIDENCE.
 */
function collectForRun(greenhouse: Greenhouse, flip: ReturnType<typeof joinFlip>): () => void {
  const folder = findNode()?.env['GREENHOUSE_EVIDENCE']
  let collector = folder ? collectEvidence(greenhouse) : undefined
  let requests = 0
  if (flip) greenhouse.requests.observe(() => void requests++)
  return () => {
    if (folder && collector) {
      save(folder, collector.end())
      collector = collectEvidence(greenhouse)
    }
    if (flip)
      save(flip.folder, {
        requests,
        consulted: [...flip.consulted],
      } satisfies WorldsReport)
    requests = 0
  }
}

function save(folder: string, data: object) {
  const { writeFileSync } = process.getBuiltinModule('node:fs')
  const { join } = process.getBuiltinModule('node:path')
  const { threadId } = process.getBuiltinModule('node:worker_threads')
  writeFileSync(join(folder, `${process.pid}-${threadId}-${++saved}.json`), JSON.stringify(data))
}
