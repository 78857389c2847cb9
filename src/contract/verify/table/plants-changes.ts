import type { AssumptionId } from '../../../api/names.ts'
import { plantsOf, whyDoubtful } from '../resources.ts'
import { integerFormats } from '../../../core/contract/json-schema.ts'
import {
  acceptance,
  valueOfStatus,
  gap,
  lengthGap,
  type ProbeTools,
  rejectedBodies,
  rule,
  statusGap,
  statusRule,
  unknownValue,
  foundValue,
} from '../probe.ts'
import { assertConclusive, assertHolds, assertSeen, member, type ServerReply } from '../wire.ts'
import type { Texts } from '../../../core/text/values.ts'

export const plantCreateRules = [
  statusRule(
    'plants.create.status',
    ['writes'],
    ({ plants }) =>
      plants.post({
        ...plants.new(),
        tag: 'verify',
      }),
    { statuses: [200] },
  ),
  rule('plants.create.reply', ['writes'], async ({ plants }) => {
    const { name, reply } = await plants.make({ tag: 'verify' })
    assertHolds(!Array.isArray(reply.json), reply, 'the body is a list, not a plant')
    for (const [field, sent] of Object.entries({
      name,
      tag: 'verify',
    }))
      assertHolds(
        member(reply.json, field) === sent,
        reply,
        `the reply does not have the ${field} "${sent}" that was sent`,
      )
  }),
  rule('plants.create.tag-optional', ['writes'], async ({ session, plants }) => {
    const reply = await plants.post(plants.new())
    const withTag = await session.remember('plant with a tag', () => plants.make({ tag: 'verify' }))
    reply.assert(
      reply.isSuccess,
      ` to a plant without a tag, and ${withTag.reply.status} to one with`,
    )
    const tag = member(reply.json, 'tag')
    assertHolds(
      tag === undefined || typeof tag === 'string',
      reply,
      `tag is ${JSON.stringify(tag)} in the reply`,
    )
  }),
  rule('plants.create.listed', ['writes'], async ({ session, plants }) => {
    const { name, reply } = await plants.make({ tag: 'verify' })
    const find = () => plants.poll((names) => names.includes(name))
    let list = await find()
    // One more plant shows whether the list ends at a page or by chance.
    if (!list.isShown && whyDoubtful(list.reply) !== undefined) {
      await plants.make()
      list = await find()
    }
    if (!list.isShown) assertConclusive(whyDoubtful(list.reply))
    const within = session.readLag === 0 ? '' : ` within ${session.readLag / 1_000} s`
    assertHolds(list.isShown, reply, `the plant is not in the list${within}`)
  }),
  rule('plants.create.unicode', ['writes'], async ({ plants }) => {
    const plain = plants.new()
    const name = `${plain.name} \u00c4\u00dfn \u6728 \u{1f331}`
    const reply = await plants.post({ ...plain, name })
    reply.assertSucceeded()
    const isOurs = (one: unknown): one is string =>
      typeof one === 'string' && one.startsWith(plain.name)
    const returned = member(reply.json, 'name')
    if (isOurs(returned))
      assertHolds(isSameName(returned, name), reply, `"${name}" is returned as "${returned}"`)
    const list = await plants.poll((names) => names.some(isOurs))
    const listed = list.names.find(isOurs)
    assertSeen(listed !== undefined, 'the plant is not in the list')
    assertHolds(isSameName(listed, name), list.reply, `"${name}" is listed as "${listed}"`)
  }),
  rule('plants.create.int64', ['writes'], async (tools) => {
    const { names, even, odd } = await makeLongIds(tools)
    even.assert(even.isSuccess)
    odd.assert(odd.isSuccess, ' to an id that differs from another in its last bit')
    const list = await tools.plants.poll((all) => names.every((name) => all.includes(name)))
    assertSeen(
      list.isShown || names.some((name) => list.names.includes(name)),
      'neither plant is listed',
    )
    if (!list.isShown) assertConclusive(whyDoubtful(list.reply))
    odd.assert(list.isShown, ', and of the two plants only one is listed')
  }),
  rejects('plants.create.refuses.no-name', (body) => ({ id: body.id })),
  rejects('plants.create.refuses.no-id', (body) => ({ name: body.name })),
  rejects('plants.create.refuses.name-type', (body) => ({
    ...body,
    name: 17,
  })),
  rejects('plants.create.refuses.name-null', (body) => ({
    ...body,
    name: null,
  })),
  rejects('plants.create.refuses.tag-type', (body) => ({
    ...body,
    tag: 17,
  })),
  rejects('plants.create.refuses.id-text', (body) => ({
    ...body,
    id: 'seventeen',
  })),
  rejects('plants.create.refuses.id-fraction', (body) => ({
    ...body,
    id: body.id + 0.5,
  })),
  rejects(
    'plants.create.refuses.id-range',
    ({ name }) => `{"id":${integerFormats.int64[1] + 1n},"name":"${name}"}`,
  ),
  rejects('plants.create.refuses.not-json', ({ id, name }) => `{"id":${id},"name":"${name}"`),
  rejects('plants.create.refuses.no-object', (body) => [body]),
  rejects('plants.create.refuses.empty', () => ''),
]

function rejects(
  id: keyof typeof rejectedBodies,
  invalidate: (body: { id: number; name: string }) => unknown,
) {
  return rule(id, ['writes'], async ({ session, plants }) => {
    const plant = plants.new()
    const body = invalidate(plant)
    const reply = await plants.post(body)
    if (reply.isSuccess && body === '')
      session.left.push(`what ${reply} to an empty body, if it created anything`)
    reply.assert(reply.status === 400, ` to a body ${rejectedBodies[id]}`)
    await plants.assertNotMade(plant.name, reply)
  })
}

function isSameName(one: string, other: string): boolean {
  return one.normalize() === other.normalize()
}

/**
 * Creates two plants whose ids differ only beyond double precision, the even one first. @throws
 * InconclusiveError
 */
function makeLongIds({ session, plants }: ProbeTools) {
  return session.remember('long ids', async () => {
    const id = 2n ** 60n + BigInt(session.newId()) * 2n
    const names = [session.newName(), session.newName()] as const
    const even = await plants.post({
      id,
      name: names[0],
      tag: 'long',
    })
    const odd = await plants.post({
      id: id + 1n,
      name: names[1],
      tag: 'long',
    })
    assertSeen(even.status !== 401 && even.status !== 403, String(even))
    return {
      id,
      names,
      even,
      odd,
    }
  })
}

const large = 4 * 2 ** 20

export const plantCreateGaps = [
  gap('plants.create.duplicate-id', ['writes'], async ({ session, plants }) => {
    const { id, name } = await plants.make()
    const second = session.newName()
    const reply = await session.call('POST', '/plants', { body: { id, name: second } })
    if (!reply.isSuccess) return valueOfStatus('plants.create.duplicate-id', reply)
    const { names } = await plants.poll((all) => all.includes(second) && !all.includes(name))
    if (names.includes(second) && !names.includes(name))
      return foundValue('replace', `${reply}, and the second plant is in the place of the first`)
    return unknownValue(
      `${reply}, and ${names.includes(second) ? 'both are' : 'the second is not'} listed`,
    )
  }),
  gap('plants.create.unknown-fields', ['writes'], async ({ plants }) => {
    const reply = await plants.post({
      ...plants.new(),
      greenhouse_verify: 'x',
    })
    if (!reply.isSuccess)
      return valueOfStatus('plants.create.unknown-fields', reply, String(reply), acceptance)
    const holds = member(reply.json, 'greenhouse_verify') === 'x'
    return foundValue(
      holds ? 'keep' : 'ignore',
      `${reply}, ${holds ? 'with' : 'without'} the field`,
    )
  }),
  statusGap(
    'plants.create.id-range',
    ['writes'],
    ({ session, plants }) =>
      plants.post({
        id: -session.newId(),
        name: session.newName(),
      }),
    {
      situation: ' to a negative id',
      values: {
        '2xx': 'any',
        400: 'positive',
      },
    },
  ),
  lengthGap('plants.name.length', 'names', ({ plants }, name) =>
    plants.post({ ...plants.new(), name }),
  ),
  gap('plants.body.includes-id', [], async ({ session, plants }) => {
    const canMake = session.whyUnable(['writes']) === undefined
    const reply = canMake ? await plants.post(plants.new()) : undefined
    const made = reply && reply.isSuccess ? reply.json : undefined
    const listed = plantsOf(await plants.fetch())[0]
    assertSeen(listed !== undefined || made !== undefined, 'no plant is listed')
    const [isListed, isMade] = [listed ?? made, made ?? listed].map(
      (plant) => member(plant, 'id') !== undefined,
    )
    if (isListed !== isMade)
      return unknownValue(`the id is only in ${isMade ? 'replies to creations' : 'the list'}`)
    return foundValue(
      isMade ? 'yes' : 'no',
      `plants are returned ${isMade ? 'with' : 'without'} their id`,
    )
  }),
  rejectionGap('plants.body.too-large', `a body of ${large / 2 ** 20} MiB`, {}, (body) =>
    body.padEnd(large),
  ),
  rejectionGap('plants.body.encoding', 'a body in gzip', { 'Content-Encoding': 'gzip' }, toGzip),
  rejectionGap('plants.body.type', 'JSON as text/plain', { 'Content-Type': 'text/plain' }),
  gap('plants.error-code', [], async ({ plants }) => {
    const reply = await plants.fetch({ key: null })
    const error = member(reply.json, 'error')
    assertSeen(
      reply.status >= 400 && typeof error === 'number',
      `${reply}, without an integer error`,
    )
    const from = `${reply} with the error ${error}`
    if (error === reply.status) return foundValue('status', from)
    // Numbers of the catalogue are a status and one more digit.
    if (Math.floor(error / 10) === reply.status) return foundValue('numbered', from)
    return unknownValue(from)
  }),
  gap('plants.rate-limits', [], async ({ plants }) => {
    const reply = await plants.fetch()
    reply.assertSucceeded()
    const isOn = reply.headers['x-ratelimit-limit'] !== undefined
    return foundValue(
      isOn ? 'on' : 'off',
      `replies of plants ${isOn ? 'carry' : 'do not carry'} X-RateLimit-Limit`,
    )
  }),
]

function rejectionGap(
  id: AssumptionId,
  what: string,
  headers: Texts,
  disguise: (body: string) => string | Promise<Uint8Array> = (body) => body,
) {
  return gap(id, ['writes'], async ({ plants }) => {
    const plant = plants.new()
    const reply = await plants.post(plant, { headers }, await disguise(JSON.stringify(plant)))
    const from = `${reply} to ${what}`
    if (reply.isSuccess) return unknownValue(`${from}, and accepts it`)
    return valueOfStatus(id, reply, from)
  })
}

async function toGzip(text: string): Promise<Uint8Array> {
  const zipped = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(zipped).arrayBuffer())
}

export const plantDeleteRules = [
  rule('plants.delete.gone', ['writes'], async ({ plants }) => {
    const { id, name } = await plants.make()
    const inconclusive = await plants.whyInconclusive([name])
    const reply = await plants.remove(id)
    reply.assert(reply.isSuccess)
    reply.assert(await plants.isGone(name), ', and the plant is still listed')
    plants.forget(id)
    assertConclusive(inconclusive)
  }),
  rule('plants.delete.single', ['writes'], async ({ plants }) => {
    const [one, wanted, other] = [await plants.make(), await plants.make(), await plants.make()]
    await plants.assertListed([one.name, wanted.name, other.name])
    const reply = await plants.removeMade(wanted)
    reply.assertSucceeded()
    await plants.settle()
    for (const { name } of [one, other])
      reply.assert(await plants.isListed(name), ', and another plant is gone too')
  }),
  rule('plants.delete.int64', ['writes'], async (tools) => {
    const { plants } = tools
    const { id, names, even, odd } = await makeLongIds(tools)
    assertSeen(even.isSuccess && odd.isSuccess, 'two such plants cannot be created')
    await plants.assertListed(names)
    const reply = await plants.removeMade({ id: id + 1n })
    reply.assertSucceeded()
    await plants.settle()
    const { names: left } = await plants.poll(
      (all) => all.includes(names[0]) && !all.includes(names[1]),
    )
    reply.assert(left.includes(names[0]), `, and the plant ${id} is gone`)
    reply.assert(!left.includes(names[1]), `, and the plant ${id + 1n} is still listed`)
  }),
  rule('plants.delete.no-body', ['writes'], async ({ plants }) => {
    const reply = await plants.removeMade(await plants.make())
    reply.assertSucceeded()
    reply.assert(reply.text === '', ' with a body')
  }),
  rule('plants.delete.own', ['writes', 'other-key'], async ({ plants, key }) => {
    const call = { key: key('other-key') }
    const { id, name } = await plants.make({}, call.key)
    await plants.assertListed([name], call)
    const reply = await plants.remove(id)
    await plants.settle()
    reply.assert(await plants.isListed(name, call), `, and another caller's plant is gone`)
  }),
]

export const plantDeleteGaps = [
  statusGap('plants.delete.status', ['writes'], async ({ plants }) =>
    plants.removeMade(await plants.make()),
  ),
  statusGap('plants.delete.unknown', ['writes'], (tools) => deleteUnknown(tools), {
    situation: ' to an id that does not exist',
  }),
  statusGap('plants.delete.invalid-id', ['writes'], ({ plants }) =>
    plants.remove('greenhouse-verify'),
  ),
  gap('plants.delete.foreign', ['writes', 'other-key'], async (tools) => {
    const { plants, key } = tools
    const { id } = await plants.make({}, key('other-key'))
    const reply = await plants.remove(id)
    const from = `${reply} to another caller's plant`
    if (reply.status === 403) return foundValue('403', from)
    const absent = await deleteUnknown(tools)
    if (reply.status === absent.status)
      return foundValue('404', `${from}, as to one that does not exist`)
    return unknownValue(`${from}, and ${absent.status} to one that does not exist`)
  }),
  statusGap('plants.unknown-method', ['writes'], ({ session }) =>
    session.call('PUT', '/plants', { body: {} }),
  ),
]

function deleteUnknown({ session, plants }: ProbeTools): Promise<ServerReply> {
  return session.remember('unknown plant', async () => {
    const plant = await plants.make()
    const reply = await plants.removeMade(plant)
    reply.assertSucceeded()
    return plants.remove(plant.id)
  })
}
