import type { AssumptionId } from '../../../api/names.ts'
import type { AreaName } from '../../../areas/event-types.ts'
import {
  assertConclusive,
  assertHolds,
  assertSeen,
  InconclusiveError,
  member,
  valuesOfAssumption,
} from '../wire.ts'
import {
  type Ask,
  valueOfStatus,
  valueOrUnknown,
  gap,
  type ProbeTools,
  rule,
  statusGap,
  statusRule,
  unknownValue,
  foundValue,
} from '../probe.ts'
import type { Need } from '../session.ts'

const wrongKey = 'greenhouse-verify-no-such-key'

type SentKey<Named extends Need> = (tools: ProbeTools<Named>) => string | null

function keyRules(area: AreaName, prefix: 'plants.list' | 'apps') {
  const path = `/${area}`
  const rejecting = <Named extends Need = never>(
    end: 'missing' | 'invalid' | 'expired',
    needs: readonly Named[],
    keyOf: SentKey<Named>,
  ) =>
    statusRule(
      `${prefix}.auth.${end}`,
      needs,
      (tools) => tools.session.call('GET', path, { key: keyOf(tools) }),
      { statuses: [401] },
    )
  return [
    rejecting('missing', [], () => null),
    rejecting('invalid', [], () => wrongKey),
    rejecting('expired', ['expired-key'], ({ key }) => key('expired-key')),
    rule(`${prefix}.auth.scheme`, [], async ({ session }) => {
      const { key } = session.options
      for (const authorization of [key, `Basic ${key}`]) {
        const reply = await session.call('GET', path, { authorization })
        reply.assert(reply.status === 401, ' without the word Bearer')
      }
    }),
  ]
}

export const plantAuthRules = [
  ...keyRules('plants', 'plants.list'),
  rule('plants.create.auth', ['writes'], async ({ plants }) => {
    for (const key of [null, wrongKey]) {
      const plant = plants.new()
      const reply = await plants.post(plant, { key })
      reply.assert(reply.status === 401)
      await plants.assertNotMade(plant.name, reply)
    }
  }),
  rule('plants.delete.auth', ['writes'], async ({ plants }) => {
    const { id, name } = await plants.make()
    const inconclusive = await plants.whyInconclusive([name])
    for (const key of [null, wrongKey]) {
      const reply = await plants.remove(id, { key })
      reply.assert(reply.status === 401)
      if (inconclusive !== undefined) continue
      await plants.settle()
      reply.assert(await plants.isListed(name), ', and the plant is gone')
    }
    assertConclusive(inconclusive)
  }),
]

export const appAuthRules = [
  ...keyRules('apps', 'apps'),
  codeRule('invalid', [], () => wrongKey),
  codeRule('expired', ['expired-key'], ({ key }) => key('expired-key')),
]

function codeRule<Named extends Need = never>(
  end: 'invalid' | 'expired',
  needs: readonly Named[],
  keyOf: SentKey<Named>,
) {
  return rule(`apps.auth.${end}-code`, needs, async (tools) => {
    const reply = await tools.apps.fetch({ key: keyOf(tools) })
    const code = reply.errorCode
    assertSeen(reply.status === 401 && code !== undefined, `${reply}, without an error.code`)
    assertHolds(code === 'invalid_api_key', reply, `error.code is "${code}"`)
  })
}

export const authGaps = [
  statusGap(
    'auth.scheme-case',
    [],
    ({ session, apps }) => apps.fetch({ authorization: `bearer ${session.options.key}` }),
    {
      situation: ' to "bearer" in lower case',
      values: {
        '2xx': 'any',
        401: 'exact',
      },
    },
  ),
  codeGap('auth.missing-code', [], ({ apps }) => apps.fetch({ key: null }), ' without a key'),
  codeGap(
    'auth.expired-code',
    ['expired-key'],
    ({ apps, key }) => apps.fetch({ key: key('expired-key') }),
    ' to an expired key',
  ),
  statusGap(
    'http.unknown-path',
    [],
    ({ session }) => session.call('GET', '/no-such-path', { key: null }),
    {
      situation: ' to a path that does not exist, without a key',
      values: {
        404: '404-first',
        401: 'checked',
      },
    },
  ),
  codeGap('errors.codes', [], async ({ apps }) => {
    const reply = await apps.fetchNone()
    assertSeen(reply.status === 404, `${reply}, without an error.code`)
    return reply
  }),
  gap('errors.request-id-header', [], async ({ apps }) => {
    const reply = await apps.fetchNone()
    const id = reply.headers['x-request-id']
    if (id === undefined) {
      const { headers } = await apps.fetch()
      if (headers['x-request-id'] === undefined)
        return foundValue('absent', 'replies of app management do not carry X-Request-Id')
      return unknownValue('GET /apps carries X-Request-Id, and an error does not')
    }
    const inBody = member(member(reply.json, 'error'), 'request_id')
    if (inBody === id) return foundValue('sent', 'X-Request-Id equals error.request_id')
    return unknownValue(`X-Request-Id is ${id}, and error.request_id ${JSON.stringify(inBody)}`)
  }),
  gap('http.date', [], async ({ apps }) => {
    const { headers } = await apps.fetch()
    if (headers['date'] === undefined)
      return foundValue('absent', 'replies of app management do not carry Date')
    throw new InconclusiveError('a client sees a time, but not whose clock it comes from', [
      'world',
      'machine',
    ])
  }),
  gap('http.head', [], async ({ session, apps }) => {
    const [head, get] = [await session.call('HEAD', '/apps'), await apps.fetch()]
    if (head.status === get.status) return foundValue('as-get', String(head))
    return valueOfStatus('http.head', head)
  }),
]

/**
 * Returns a probe to which the code of an error answers. @param situation what the request was
 * about: ` without a key`
 */
function codeGap<Named extends Need = never>(
  id: AssumptionId,
  needs: readonly Named[],
  ask: Ask<Named>,
  situation = '',
) {
  return gap(id, needs, async (tools) => {
    const reply = await ask(tools)
    const code = reply.errorCode
    assertSeen(code !== undefined, `${reply}, without an error.code`)
    const from = `${reply} with the code ${code}${situation}`
    const found = code === 'not_found' ? 'snake-case' : code
    return valueOrUnknown(valuesOfAssumption(id).includes(found) ? found : undefined, from)
  })
}
