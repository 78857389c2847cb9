import type { AssumptionId } from '../../../api/types/names.ts'
import { type AssumptionProbe, byStatus, isTaken, probe, statusProbe, unknown, value } from '../finding.ts'
import {
  fetchPlants,
  fillUp,
  findLimitName,
  limitNames,
  listAll,
  makePlant,
  plantsOf,
  poll,
  postPlant,
  settle,
} from '../plants.ts'
import type { Session } from '../session.ts'
import { assertSeen, assertSucceeded, describeReply, Inconclusive, isSuccess, mayBePage, member } from '../wire.ts'

const large = 4 * 2 ** 20

export const plantCreateProbes: readonly AssumptionProbe[] = [
  probe('plants.create.duplicate-id', ['writes'], async (session) => {
    const { id, name } = await makePlant(session)
    const second = session.newName()
    const reply = await session.client.call('plants', 'POST', '/plants', { body: { id, name: second } })
    if (reply.status === 400 || reply.status === 409) return value(String(reply.status), describeReply(reply))
    if (!isSuccess(reply)) return unknown(describeReply(reply), reply)
    const { names } = await poll(session, (all) => all.includes(second) && !all.includes(name))
    return names.includes(second) && !names.includes(name)
      ? value('replace', `${describeReply(reply)}, and the second plant is in the place of the first`)
      : unknown(
          `${describeReply(reply)}, and ${names.includes(second) ? 'both are' : 'the second is not'} listed`,
          reply,
        )
  }),
  probe('plants.create.unknown-fields', ['writes'], async (session) => {
    const body = { id: session.newId(), name: session.newName(), greenhouse_verify: 'x' }
    const reply = await postPlant(session, body)
    if (reply.status === 400) return value('reject', describeReply(reply))
    if (!isSuccess(reply)) return unknown(describeReply(reply), reply)
    const holds = member(reply.json, 'greenhouse_verify') === 'x'
    return value(holds ? 'keep' : 'ignore', `${describeReply(reply)}, ${holds ? 'with' : 'without'} the field`)
  }),
  statusProbe(
    'plants.create.id-range',
    ['writes'],
    { '2xx': 'any', 400: 'positive' },
    (session) => postPlant(session, { id: -session.newId(), name: session.newName() }),
    ' to a negative id',
  ),
  probe('plants.name.length', ['writes'], async (session) => {
    const takes = async (name: string) => {
      return isTaken(await postPlant(session, { id: session.newId(), name }))
    }
    const [none, max, more] = [await takes(''), await takes('n'.repeat(255)), await takes('n'.repeat(256))]
    if (none && max && more) return value('any', 'names of 0, 255 and 256 characters are accepted')
    if (!none && max && !more) return value('1-255', 'a name of 255 characters is accepted, names of 0 and 256 are not')
    const describe = (is: boolean) => (is ? 'accepted' : 'refused')
    return unknown(`names of 0, 255 and 256 characters are ${describe(none)}, ${describe(max)} and ${describe(more)}`)
  }),
  probe('plants.body.includes-id', [], async (session) => {
    const canMake = session.lacks(['writes']) === undefined
    const reply = canMake ? await postPlant(session, { id: session.newId(), name: session.newName() }) : undefined
    const made = reply && isSuccess(reply) ? reply.json : undefined
    const listed = plantsOf(await fetchPlants(session))[0]
    assertSeen(listed !== undefined || made !== undefined, 'no plant is listed')
    const [isListed, isMade] = [listed ?? made, made ?? listed].map((plant) => member(plant, 'id') !== undefined)
    if (isListed !== isMade) return unknown(`the id is only in ${isMade ? 'replies to creations' : 'the list'}`, reply)
    return value(isMade ? 'yes' : 'no', `plants are returned ${isMade ? 'with' : 'without'} their id`)
  }),
  rejectionProbe('plants.body.too-large', { 413: '413', 400: '400' }, `a body of ${large / 2 ** 20} MiB`, {}, (body) =>
    body.padEnd(large),
  ),
  rejectionProbe(
    'plants.body.encoding',
    { 415: '415', 400: '400' },
    'a body in gzip',
    { 'Content-Encoding': 'gzip' },
    toGzip,
  ),
  rejectionProbe('plants.body.type', { 400: '400', 415: '415' }, 'JSON as text/plain', {
    'Content-Type': 'text/plain',
  }),
  probe('plants.error-code', [], async ({ client }) => {
    const reply = await client.call('plants', 'GET', '/plants', { key: null })
    const error = member(reply.json, 'error')
    assertSeen(reply.status >= 400 && typeof error === 'number', `${describeReply(reply)}, without an integer error`)
    const from = `${describeReply(reply)} with the error ${error}`
    if (error === reply.status) return value('status', from)
    // Numbers of the catalogue are a status and one more digit.
    return Math.floor(error / 10) === reply.status ? value('numbered', from) : unknown(from, reply)
  }),
  probe('plants.rate-limits', [], async (session) => {
    const reply = await fetchPlants(session)
    assertSucceeded(reply)
    const isOn = reply.headers['x-ratelimit-limit'] !== undefined
    return value(isOn ? 'on' : 'off', `replies of plants ${isOn ? 'carry' : 'do not carry'} X-RateLimit-Limit`)
  }),
]

function rejectionProbe(
  id: AssumptionId,
  values: Readonly<Record<number, string>>,
  what: string,
  headers: Readonly<Record<string, string>>,
  disguise: (body: string) => string | Promise<Uint8Array> = (body) => body,
): AssumptionProbe {
  return probe(id, ['writes'], async (session) => {
    const plant = { id: session.newId(), name: session.newName() }
    const reply = await postPlant(session, plant, { headers }, await disguise(JSON.stringify(plant)))
    const from = `${describeReply(reply)} to ${what}`
    return isSuccess(reply) ? unknown(`${from}, and accepts it`, reply) : byStatus(reply, values, from)
  })
}

async function toGzip(text: string): Promise<Uint8Array> {
  const zipped = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(zipped).arrayBuffer())
}

export const plantListProbes: readonly AssumptionProbe[] = [
  probe('plants.list.limit-name', [], async (session) => {
    const name = await findLimitName(session)
    return name === undefined
      ? unknown(`none of ${limitNames.join(', ')} caps the list`)
      : value(name, `GET /plants?${name}=1 returns fewer plants`)
  }),
  probe('plants.list.limit-default', [], async (session) => {
    for (const [cap, more] of [
      [20, 21],
      [100, 101],
    ] as const) {
      await settle(session)
      const { length } = plantsOf(await fetchPlants(session))
      if (length > cap) continue
      const all = plantsOf(await listAll(session)).length
      if (all > length) return describeCount(length, all)
      const lack = session.lacks(['writes'])
      if (lack !== undefined)
        throw new Inconclusive(`${length} plants are listed, and there are no more; to create more, ${lack}`)
      for (let made = all; made < more; made++) await makePlant(session)
      const { length: listed } = await session.until(
        async () => plantsOf(await fetchPlants(session)),
        (plants) => plants.length >= more,
      )
      if (listed < more) return describeCount(listed, more)
    }
    return value('all', 'more than 100 plants are listed without a limit')
  }),
  probe('plants.list.limit-invalid', [], async (session) => {
    const name = await limitName(session)
    for (const wrong of ['-1', 'many', '1.5', '2147483648']) {
      const reply = await fetchPlants(session, { query: `${name}=${wrong}` })
      if (reply.status === 400) continue
      if (!isSuccess(reply)) return unknown(describeReply(reply), reply)
      return wrong === '-1'
        ? value('ignore', describeReply(reply))
        : unknown(`${describeReply(reply)}, but ${name}=-1 was answered with 400`, reply)
    }
    return value('400', `GET /plants?${name}=-1 answered 400`)
  }),
  probe('plants.list.limit-zero', [], async (session) => {
    const name = await limitName(session)
    const reply = await fetchPlants(session, { query: `${name}=0` })
    if (reply.status === 400) return value('400', describeReply(reply))
    const { length } = plantsOf(reply)
    if (length === 0) return value('empty', `${describeReply(reply)} and no plants`)
    const all = plantsOf(await listAll(session)).length
    return length === all
      ? value('all', `${describeReply(reply)} and all ${all} plants`)
      : unknown(`${describeReply(reply)} and ${length} of ${all} plants`, reply)
  }),
  probe('plants.list.order', ['writes'], async (session) => {
    const id = session.newId()
    const made: string[] = []
    for (const offset of [2, 0, 1]) made.push((await makePlant(session, { id: id + offset })).name)
    const { names, reply } = await poll(session, (all) => made.every((name) => all.includes(name)))
    const order = names.filter((name) => made.includes(name as string))
    assertSeen(order.length === made.length, 'not all plants that were created are listed')
    const places = order.map((name) => made.indexOf(name as string)).join('')
    const from = 'three plants were created, the one with the greatest id first and the one with the smallest id second'
    const known = { '012': 'created', '210': 'newest', '120': 'id' }[places]
    return known === undefined
      ? unknown(`${from}; they are listed in the order ${places}`, reply)
      : value(known, `${from}; the list has them in this order`)
  }),
  statusProbe('plants.unknown-query', [], { '2xx': 'ignore', 400: 'reject' }, (session) =>
    fetchPlants(session, { query: 'greenhouse_verify=1' }),
  ),
]

function describeCount(listed: number, all: number) {
  const from = `${listed} of ${all} plants are listed without a limit`
  assertSeen(mayBePage(listed), from)
  return listed === 20 || listed === 100 ? value(String(listed), from) : unknown(from)
}

async function limitName(session: Session): Promise<string> {
  const name = await findLimitName(session)
  assertSeen(name !== undefined, 'none of the known names of the parameter caps the list')
  await fillUp(session)
  return name
}
