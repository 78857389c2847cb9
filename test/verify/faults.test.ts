import { expect, test } from 'vitest'
import { soaks } from '../support/soak.ts'
import { brokenOf, isRule, verifyGreenhouse } from './against.ts'
import {
  body,
  change,
  isDone,
  isOfApps,
  json,
  sentBy,
  withFault,
  type Fault,
  type Passing,
} from './faults.ts'

const isCreation = ({ method, path }: Passing) => method === 'POST' && path === '/plants'
const isPlantList = ({ method, path }: Passing) => method === 'GET' && path === '/plants'
const isAppList = ({ method, path }: Passing) => method === 'GET' && path === '/v1/apps'
const isAppRead = ({ method, path }: Passing) =>
  method === 'GET' && path.startsWith('/v1/apps/app_')
const withKey = (wanted: string) => (passing: Passing) =>
  isOfApps(passing) && passing.key === wanted
const isOfOther = { headers: { Authorization: 'Bearer key_pro_plus' } }

const status = (from: number, to: number, concerns: (passing: Passing) => boolean): Fault =>
  change(concerns, (answered) =>
    answered.status === from ? { ...answered, status: to } : answered,
  )

/**
 * Faults by the one rule that they break, and what the server does: those that the store of
 * `mistakes.test.ts` cannot have.
 */
const faults: Readonly<Record<string, Fault>> = {
  'plants.list.auth.scheme: takes a key without the word Bearer': (passing) =>
    isPlantList(passing) && passing.asked.headers['Authorization'] === 'key_pro'
      ? passing.pass({ headers: { Authorization: 'Bearer key_pro' } })
      : undefined,
  'plants.list.limit: lists one plant less than the limit': (passing) => {
    const limit = Number(passing.query.get('limit') ?? '0')
    return isPlantList(passing) && limit > 1 && limit < 1_000
      ? passing.pass({ path: `/plants?limit=${limit - 1}` })
      : undefined
  },
  'plants.create.refuses.no-name: rejects what is no plant with 422': status(
    400,
    422,
    (passing) => isCreation(passing) && !('name' in sentBy(passing)) && 'id' in sentBy(passing),
  ),
  'plants.create.refuses.tag-type: rejects a plant whose tag is a number, and makes it': (
    passing,
  ) =>
    isCreation(passing) && typeof sentBy(passing)['tag'] === 'number'
      ? passing
          .pass({ body: JSON.stringify({ ...sentBy(passing), tag: 'x' }) })
          .then(() => json(400, { error: 400, message: 'tag' }))
      : undefined,
  'apps.auth.expired: denies an expired key of apps with 403': status(
    401,
    403,
    withKey('key_expired'),
  ),
  'apps.auth.scheme: takes a key of apps as Basic': (passing) =>
    isOfApps(passing) && passing.asked.headers['Authorization']?.startsWith('Basic ')
      ? passing.pass({ headers: { Authorization: 'Bearer key_pro' } })
      : undefined,
  'apps.list.created: does not list an app that was created': body(
    isAppList,
    isDone,
    ({ data, ...page }) => ({
      ...page,
      data: data.filter(({ name }: { name: string }) => !name.startsWith('greenhouse-verify')),
    }),
  ),
  "apps.list.own: lists another caller's apps": (passing) =>
    isAppList(passing) && passing.key === 'key_pro' && passing.query.has('limit')
      ? passing.pass().then(async (own) => {
          const page = JSON.parse(own.text)
          const other = JSON.parse((await passing.pass({ path: '/v1/apps', ...isOfOther })).text)
          return { ...own, text: JSON.stringify({ ...page, data: [...page.data, ...other.data] }) }
        })
      : undefined,
  "apps.status.404-foreign: shows another caller's app": (passing) =>
    isAppRead(passing) && passing.key === 'key_pro' && !passing.path.endsWith('verify')
      ? passing.pass().then((own) => (own.status === 404 ? passing.pass(isOfOther) : own))
      : undefined,
  'apps.status.400: answers invalid parameters with 404': status(
    400,
    404,
    (passing) => passing.method === 'POST' && isOfApps(passing),
  ),
  'apps.status.403: answers what a key does not permit with 404': status(
    403,
    404,
    withKey('key_readonly'),
  ),
}

/** Faults that only show as the rate limit is spent. */
const limitFaults: typeof faults = {
  'apps.limit.granted: denies the last request of a minute': (passing) =>
    isAppList(passing) && passing.key === 'key_pro'
      ? passing.pass().then((answered) => {
          const isLast =
            Number(answered.headers['x-ratelimit-remaining']) === 0 && answered.status === 200
          return isLast ? passing.pass() : answered
        })
      : undefined,
  'apps.limit.status: takes one request more than a minute holds': late(1),
  'apps.limit.status: never denies a request': late(Infinity),
}

function late(count: number): Fault {
  let over = 0
  return change(isAppList, (answered) =>
    answered.status === 429 && ++over <= count
      ? { ...answered, status: 200, text: '{"data":[],"has_more":false,"next_cursor":null}' }
      : answered,
  )
}

for (const [title, fault] of Object.entries({ ...faults, ...limitFaults }))
  test(`a server breaks this rule and nothing else: ${title}`, async () => {
    const [rule] = title.split(':')
    const rateLimit = title in limitFaults
    const wrap = withFault(fault)
    // The rules of the other area are judged too where the tests run at full size.
    const [area] = title.split('.')
    const only = (id: string) => isRule(id) && (soaks || id.split('.')[0] === area)
    const { report } = await verifyGreenhouse({ wrap, rate: Infinity, rateLimit, only })
    expect(brokenOf(report)).toEqual([rule])
  })

test('a server whose replies differ from the document alone differs, and breaks nothing', async () => {
  const wrap = withFault(body(isOfApps, isDone, ({ created_at: _, ...app }) => app))
  const { report } = await verifyGreenhouse({ wrap, rate: Infinity })
  const broken = report.rules.filter(({ outcome }) => outcome === 'broken')
  expect(broken.map(({ id, source }) => `${id} ${source}`)).toContain('document.apps.create ours')
  expect(brokenOf(report)).toEqual([])
})

test('a header that only errors lack is not reported as absent from all replies', async () => {
  const wrap = withFault(
    change(isOfApps, (answered) => {
      const { 'x-request-id': _, ...headers } = answered.headers
      return answered.status < 400 ? answered : { ...answered, headers }
    }),
  )
  const only = ['errors.request-id-header']
  const { report } = await verifyGreenhouse({ wrap, only: (id) => only.includes(id) })
  expect(report.probes).toMatchObject([{ id: only[0], outcome: 'unknown' }])
})
