import { plantSchema } from '../../../areas/plants/schemas.ts'
import { integerFormats } from '../../../core/contract/json-schema.ts'
import { plantNamesOf, type Plants, plantsOf } from '../resources.ts'
import {
  acceptance,
  valueOrUnknown,
  gap,
  rule,
  statusGap,
  unknownValue,
  foundValue,
} from '../probe.ts'
import {
  assertConclusive,
  assertHolds,
  assertSeen,
  mayBePage,
  valuesOfAssumption,
} from '../wire.ts'

export const plantListRules = [
  rule('plants.list.reply', [], async ({ plants }) => {
    const reply = await plants.fetch()
    reply.assertSucceeded()
    assertHolds(Array.isArray(reply.json), reply, 'the body is not a JSON array')
    const wrong = reply.json.findIndex((plant) => !plantSchema.safeParse(plant).success)
    assertHolds(
      wrong < 0,
      reply,
      `item ${wrong} of the list is not a plant: ${JSON.stringify(reply.json[wrong])}`,
    )
  }),
  rule('plants.list.limit', [], async ({ plants }) => {
    const name = await limitName(plants)
    for (const limit of [1, 3]) {
      const reply = await plants.fetch({ query: `${name}=${limit}` })
      const { length } = plantsOf(reply)
      if (length < limit)
        assertSeen(plantsOf(await plants.fetch()).length >= limit, 'too few plants are listed')
      assertHolds(length === limit, reply, `${length} plants are returned with ${name}=${limit}`)
    }
  }),
  rule('plants.list.own', ['writes', 'other-key'], async ({ plants, key }) => {
    const call = { key: key('other-key') }
    const { name } = await plants.make({}, call.key)
    const inconclusive = await plants.whyInconclusive([name], call)
    await plants.settle()
    const reply = await plants.all()
    assertHolds(!plantNamesOf(reply).includes(name), reply, "another caller's plant is in the list")
    assertConclusive(inconclusive)
  }),
]

const caps = valuesOfAssumption('plants.list.limit-default').slice(1).map(Number)

export const plantListGaps = [
  gap('plants.list.limit-name', [], async ({ plants }) => {
    const name = await plants.limitName()
    if (name === undefined)
      return unknownValue(
        `none of ${valuesOfAssumption('plants.list.limit-name').join(', ')} caps the list`,
      )
    return foundValue(name, `GET /plants?${name}=1 returns fewer plants`)
  }),
  gap('plants.list.limit-default', [], async ({ plants }) => {
    for (const cap of caps) {
      await plants.settle()
      const { length } = plantsOf(await plants.fetch())
      if (length > cap) continue
      const all = plantsOf(await plants.all()).length
      if (all > length) return describeCount(length, all)
      const listed = await plants.fillUp(cap + 1)
      if (listed <= cap) return describeCount(listed, cap + 1)
    }
    return foundValue('all', `more than ${caps.at(-1)} plants are listed without a limit`)
  }),
  gap('plants.list.limit-invalid', [], async ({ plants }) => {
    const name = await limitName(plants)
    for (const wrong of ['-1', 'many', '1.5', `${integerFormats.int32[1] + 1}`]) {
      const reply = await plants.fetch({ query: `${name}=${wrong}` })
      if (reply.status === 400) continue
      if (!reply.isSuccess) return unknownValue(String(reply))
      if (wrong === '-1') return foundValue('ignore', String(reply))
      return unknownValue(`${reply}, but ${name}=-1 was answered with 400`)
    }
    return foundValue('400', `GET /plants?${name}=-1 answered 400`)
  }),
  gap('plants.list.limit-zero', [], async ({ plants }) => {
    const name = await limitName(plants)
    const reply = await plants.fetch({ query: `${name}=0` })
    if (reply.status === 400) return foundValue('400', String(reply))
    const { length } = plantsOf(reply)
    if (length === 0) return foundValue('empty', `${reply} and no plants`)
    const all = plantsOf(await plants.all()).length
    if (length === all) return foundValue('all', `${reply} and all ${all} plants`)
    return unknownValue(`${reply} and ${length} of ${all} plants`)
  }),
  gap('plants.list.order', ['writes'], async ({ session, plants }) => {
    const id = session.newId()
    const made: string[] = []
    for (const offset of [2, 0, 1]) made.push((await plants.make({ id: id + offset })).name)
    const { names } = await plants.poll((all) => made.every((name) => all.includes(name)))
    const order = names.filter((name) => made.includes(name as string))
    assertSeen(order.length === made.length, 'not all plants that were created are listed')
    const places = order.map((name) => made.indexOf(name as string)).join('')
    const from =
      'three plants were created, the one with the greatest id first and the one with the smallest id second'
    const known = {
      '012': 'created',
      '210': 'newest',
      '120': 'id',
    }[places]
    return valueOrUnknown(known, `${from}; they are listed in the order ${places}`)
  }),
  statusGap(
    'plants.unknown-query',
    [],
    ({ plants }) => plants.fetch({ query: 'greenhouse_verify=1' }),
    { values: acceptance },
  ),
]

function describeCount(listed: number, all: number) {
  const from = `${listed} of ${all} plants are listed without a limit`
  assertSeen(mayBePage(listed), from)
  return valueOrUnknown(caps.includes(listed) ? String(listed) : undefined, from)
}

async function limitName(plants: Plants): Promise<string> {
  const name = await plants.limitName()
  assertSeen(name !== undefined, 'none of the known names of the parameter caps the list')
  await plants.fillUp()
  return name
}
