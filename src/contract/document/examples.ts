import { createFrom } from '../../api/assembly/create.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'
import type { AssumptionChoices } from '../../api/names.ts'
import type { Catalogue } from '../../catalogue/fold-areas.ts'
import { cached } from '../../core/contract/cache.ts'
import { isObject } from '../../core/contract/options.ts'
import { closedTransport } from '../../core/http/webhook-transport.ts'
import type { Area } from '../../core/pipeline/area.ts'
import type { Operation } from '../../core/pipeline/operation.ts'
import { itemsOf, type Texts } from '../../core/text/values.ts'
import { nextTurn } from '../../core/time/system-time.ts'
import type { Example } from './operation.ts'

/**
 * The examples of each catalogue by the values of its assumptions. They are kept, since creating
 * them takes most of the time.
 */
const examplesOf = new WeakMap<Catalogue, Map<string, Promise<ExampleOf>>>()

/** For how many sets of values the examples of a catalogue are kept. */
const maxChoices = 4

export function examplesUnder(
  catalogue: Catalogue,
  values: ReadonlyMap<string, string>,
  assumptions: AssumptionChoices,
) {
  const known = cached(examplesOf, catalogue, () => new Map<string, Promise<ExampleOf>>())
  const fetch = (key: string) => {
    const examples = fetchExamples(catalogue, assumptions)
    // A failure is not kept: the next document tries again.
    examples.catch(() => known.delete(key))
    return examples
  }
  return cached(known, JSON.stringify([...values]), fetch, maxChoices)
}

type ExampleOf = (operation: string) => Example | undefined

/** The keys to call operations with: the next one is tried where one finds no example. */
const exampleKeys = ['key_pro', 'key_pro_plus', 'key_lite']

/** The time at which all examples happen. */
const exampleTime = '2026-03-01T12:00:00Z'

/** The most records that are tried for one parameter of a path. */
const maxTriedIds = 8

/**
 * Calls every operation of a catalogue with the bundled fixtures to get its example, each in its
 * own world.
 */
async function fetchExamples(
  catalogue: Catalogue,
  assumptions: AssumptionChoices,
): Promise<ExampleOf> {
  const greenhouse = createFrom(catalogue, {
    now: exampleTime,
    assumptions,
  })
  // Examples send no deliveries.
  greenhouse.deliverThrough(closedTransport)
  const examples = new Map<string, Example>()
  for (const area of catalogue.areas)
    for (const operation of area.operations) {
      const example = await askForExample(greenhouse, area, operation)
      if (example) examples.set(operation.id, example)
      await nextTurn()
    }
  return (operation) => examples.get(operation)
}

/**
 * Calls an operation until it succeeds, with ids that lists of its world return. Of successful
 * calls, one whose list is not empty is preferred.
 */
async function askForExample(
  greenhouse: Greenhouse,
  area: Area,
  operation: Operation,
): Promise<Example | undefined> {
  const { method, path, example: body } = operation
  const world = `example-${operation.id}`
  const base = `/~${world}${area.base}`
  const { clock } = greenhouse.world(world)
  clock.freeze()
  clock.set(exampleTime)
  try {
    for (const key of exampleKeys) {
      const found = await walkPath(key, '', path.split('/').slice(1), {})
      if (found) return found
    }
    return undefined
  } finally {
    greenhouse.deleteWorld(world)
  }

  /**
   * Replaces the parameters of a path by ids, from left to right, and then calls the operation.
   * @param walked the beginning of the path, with ids
   * @param left the other segments, which may be parameters
   * @param params the ids so far, by the names of their parameters
   */
  async function walkPath(
    key: string,
    walked: string,
    left: readonly string[],
    params: Texts,
  ): Promise<Example | undefined> {
    const [segment, ...rest] = left
    if (segment === undefined) {
      const request = `${method} ${base}${walked}`
      const { status, value } = await callForExample(greenhouse, request, key, body)
      if (status >= 300) return undefined
      const streamed =
        operation.stream &&
        (await callForExample(greenhouse, request, key, {
          ...body,
          stream: true,
        }))
      return {
        params,
        body,
        status,
        reply: value,
        stream: streamed?.text,
      }
    }
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined) return walkPath(key, `${walked}/${segment}`, rest, params)
    for (const id of (await idsIn(greenhouse, base, walked, key)).slice(0, maxTriedIds)) {
      const found = await walkPath(key, `${walked}/${encodeURIComponent(id)}`, rest, {
        ...params,
        [name]: id,
      })
      if (found && itemsOf(found.reply)?.length !== 0) return found
    }
    return undefined
  }
}

/** Returns the ids of the records that a path lists. */
async function idsIn(
  greenhouse: Greenhouse,
  base: string,
  walked: string,
  key: string,
): Promise<string[]> {
  const { value } = await callForExample(greenhouse, `GET ${base}${walked}`, key)
  return (itemsOf(value) ?? []).filter(isObject).flatMap((item) => {
    if ('id' in item) return String(item['id'])
    return idOfPlant(greenhouse, base, item, key)
  })
}

/** Finds the id of a listed plant in the store: plants in lists have none, says the reference. */
function idOfPlant(greenhouse: Greenhouse, base: string, shown: object, key: string): string[] {
  const { records } = greenhouse.world(base.slice(2).split('/')[0])
  const account = records.keys.get(key)?.account
  const isShown = (plant: { readonly account: string; readonly name: string }) =>
    plant.account === account && 'name' in shown && plant.name === shown.name
  return records.plants.find(isShown, { take: 1 }).map(({ id }) => String(id))
}

async function callForExample(
  greenhouse: Greenhouse,
  request: string,
  key: string,
  body?: unknown,
) {
  const [method, target] = request.split(' ') as [string, string]
  const isList = method === 'GET' && !target.includes('?')
  const headers = new Headers({ Authorization: `Bearer ${key}` })
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  const response = await greenhouse.fetch(
    new Request(`http://127.0.0.1${target}${isList ? '?limit=2' : ''}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    }),
  )
  const text = await response.text()
  const isJson = response.headers.get('Content-Type') === 'application/json'
  return {
    status: response.status,
    text,
    value: isJson ? (JSON.parse(text) as unknown) : undefined,
  }
}
