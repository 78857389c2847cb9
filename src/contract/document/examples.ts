import { closedTransport } from '../../core/http/webhook-transport.ts'
import { createFrom } from '../../api/assembly/create.ts'
import type { Catalogue } from '../../api/assembly/make-catalogue.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'
import type { AssumptionChoices } from '../../api/types/names.ts'
import type { Area, Operation } from '../../core/pipeline/operation.ts'
import { nextTurn } from '../../core/time/system-time.ts'

export interface Example {
  readonly params: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly status: number
  readonly reply?: unknown
  readonly stream?: string | undefined
}

export type ExampleOf = (operation: string) => Example | undefined

const keys = ['key_pro', 'key_pro_plus', 'key_lite']

const now = '2026-03-01T12:00:00Z'

const maxTried = 8

/** Calls every operation of a catalogue with the bundled fixtures to get its example, each in its own world. */
export async function fetchExamples(catalogue: Catalogue, assumptions: AssumptionChoices): Promise<ExampleOf> {
  const greenhouse = createFrom(catalogue, { now, assumptions })
  // Examples send no deliveries.
  greenhouse.deliverThrough(closedTransport)
  const examples = new Map<string, Example>()
  for (const area of catalogue.areas)
    for (const operation of area.operations) {
      const example = await ask(greenhouse, area, operation)
      if (example) examples.set(operation.id, example)
      await nextTurn()
    }
  return (operation) => examples.get(operation)
}

async function ask(greenhouse: Greenhouse, area: Area, operation: Operation): Promise<Example | undefined> {
  const world = `example-${operation.id}`
  const { clock } = greenhouse.world(world)
  clock.freeze()
  clock.set(now)
  try {
    for (const key of keys) {
      const found = await tryPaths(greenhouse, `/~${world}${area.base}`, operation, key)
      if (found) return found
    }
    return undefined
  } finally {
    greenhouse.deleteWorld(world)
  }
}

async function tryPaths(
  greenhouse: Greenhouse,
  base: string,
  operation: Operation,
  key: string,
): Promise<Example | undefined> {
  const { method, path, example: body } = operation
  return descend('', path.split('/').slice(1), {})

  async function descend(
    walked: string,
    left: readonly string[],
    params: Readonly<Record<string, string>>,
  ): Promise<Example | undefined> {
    const [segment, ...rest] = left
    if (segment === undefined) {
      const target = base + walked
      const { status, value } = await call(greenhouse, method, target, key, body)
      if (status >= 300) return undefined
      const streamed = operation.stream && (await call(greenhouse, method, target, key, { ...body, stream: true }))
      return { params, body, status, reply: value, stream: streamed?.text }
    }
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined) return descend(`${walked}/${segment}`, rest, params)
    for (const id of (await idsIn(greenhouse, base, walked, key)).slice(0, maxTried)) {
      const found = await descend(`${walked}/${encodeURIComponent(id)}`, rest, { ...params, [name]: id })
      if (found && !isEmptyList(found.reply)) return found
    }
    return undefined
  }
}

async function idsIn(greenhouse: Greenhouse, base: string, walked: string, key: string): Promise<string[]> {
  const { value } = await call(greenhouse, 'GET', `${base}${walked}`, key)
  const listed = (Array.isArray(value) ? value : ((value as { data?: unknown[] } | undefined)?.data ?? [])) as object[]
  return listed.flatMap((item) => ('id' in item ? [String(item.id)] : idOfPlant(greenhouse, base, item, key)))
}

/** Plants in lists have no ids (stated), so they come from the store. */
function idOfPlant(greenhouse: Greenhouse, base: string, shown: object, key: string): string[] {
  const { records } = greenhouse.world(base.slice(2).split('/')[0])
  const account = records.keys.get(key)!.account
  return records.plants
    .find((plant) => plant.account === account && 'name' in shown && plant.name === shown.name, { take: 1 })
    .map(({ id }) => String(id))
}

function isEmptyList(reply: unknown): boolean {
  const list = Array.isArray(reply) ? reply : (reply as { data?: unknown } | undefined)?.data
  return Array.isArray(list) && list.length === 0
}

async function call(greenhouse: Greenhouse, method: string, target: string, key: string, body?: unknown) {
  const isList = method === 'GET' && !target.includes('?')
  const response = await greenhouse.fetch(
    new Request(`http://127.0.0.1${target}${isList ? '?limit=2' : ''}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  const isJson = response.headers.get('Content-Type') === 'application/json'
  return { status: response.status, text, value: isJson ? (JSON.parse(text) as unknown) : undefined }
}
