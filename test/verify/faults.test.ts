import { expect, test } from 'vitest'
import { brokenOf, isRule, verifyGreenhouse } from './against.ts'
import {
  body,
  change,
  isDone,
  isOfApps,
  isOfPlants,
  isRefusal,
  json,
  sentBy,
  withFault,
  type Fault,
  type Passing,
} from './faults.ts'

const isCreation = ({ method, path }: Passing) => method === 'POST' && path === '/plants'
const isPlantList = ({ method, path }: Passing) => method === 'GET' && path === '/plants'
const isDeletion = ({ method, path }: Passing) => method === 'DELETE' && path.startsWith('/plants/')
const isAppList = ({ method, path }: Passing) => method === 'GET' && path === '/v1/apps'
const isAppRead = ({ method, path }: Passing) => method === 'GET' && path.startsWith('/v1/apps/app_')
const withKey = (wanted: string) => (passing: Passing) => isOfApps(passing) && passing.key === wanted
const withWrongKey = ({ key }: Passing) => key?.startsWith('greenhouse-verify') === true
const isOfOther = { headers: { Authorization: 'Bearer key_pro_plus' } }

/** Another status for some requests, where the reply has the first one. */
const status = (concerns: (passing: Passing) => boolean, from: number, to: number): Fault =>
  change(concerns, (answered) => (answered.status === from ? { ...answered, status: to } : answered))

const faults: [name: string, rule: string, fault: Fault][] = [
  [
    'denies a list without a key with 403',
    'plants.list.auth.missing',
    status((passing) => isPlantList(passing) && !passing.asked.headers['Authorization'], 401, 403),
  ],
  [
    'takes a key without the word Bearer',
    'plants.list.auth.scheme',
    (passing) =>
      isPlantList(passing) && passing.asked.headers['Authorization'] === 'key_pro'
        ? passing.pass({ headers: { Authorization: 'Bearer key_pro' } })
        : undefined,
  ],
  [
    'denies a deletion with a wrong key with 404',
    'plants.delete.auth',
    status((passing) => isDeletion(passing) && withWrongKey(passing), 401, 404),
  ],
  [
    'lists one plant less than the limit',
    'plants.list.limit',
    (passing) => {
      const limit = Number(passing.query.get('limit') ?? '0')
      return isPlantList(passing) && limit > 1 && limit < 1_000
        ? passing.pass({ path: `/plants?limit=${limit - 1}` })
        : undefined
    },
  ],
  [
    'answers a creation with a name in capitals',
    'plants.create.reply',
    body(isCreation, isDone, (plant) => ({ ...plant, name: plant.name?.toUpperCase() })),
  ],
  [
    'rejects what is no plant with 422',
    'plants.create.refuses.no-name',
    status((passing) => isCreation(passing) && !('name' in sentBy(passing)) && 'id' in sentBy(passing), 400, 422),
  ],
  [
    'rejects a plant whose tag is a number, and makes it',
    'plants.create.refuses.tag-type',
    (passing) =>
      isCreation(passing) && typeof sentBy(passing)['tag'] === 'number'
        ? passing
            .pass({ body: JSON.stringify({ ...sentBy(passing), tag: 'x' }) })
            .then(() => json(400, { error: 400, message: 'tag' }))
        : undefined,
  ],
  [
    'has a text as the error of plants',
    'plants.errors.body',
    body(isOfPlants, isRefusal, (error) => ({ ...error, error: 'bad' })),
  ],
  [
    'has an error of plants of more than 32 bits',
    'plants.errors.body',
    body(isOfPlants, isRefusal, (error) => ({ ...error, error: 2 ** 31 })),
  ],
  [
    'denies apps without a key with 403',
    'apps.auth.missing',
    status((passing) => isAppList(passing) && !passing.asked.headers['Authorization'], 401, 403),
  ],
  ['denies an expired key of apps with 403', 'apps.auth.expired', status(withKey('key_expired'), 401, 403)],
  [
    'calls an expired key expired_api_key',
    'apps.auth.expired-code',
    body(withKey('key_expired'), isRefusal, ({ error }) => ({ error: { ...error, code: 'expired_api_key' } })),
  ],
  [
    'takes a key of apps as Basic',
    'apps.auth.scheme',
    (passing) =>
      isOfApps(passing) && passing.asked.headers['Authorization']?.startsWith('Basic ')
        ? passing.pass({ headers: { Authorization: 'Bearer key_pro' } })
        : undefined,
  ],
  [
    'does not list an app that was created',
    'apps.list.created',
    body(isAppList, isDone, ({ data, ...page }) => ({
      ...page,
      data: data.filter(({ name }: { name: string }) => !name.startsWith('greenhouse-verify')),
    })),
  ],
  [
    "lists another caller's apps",
    'apps.list.own',
    (passing) =>
      isAppList(passing) && passing.key === 'key_pro' && passing.query.has('limit')
        ? passing.pass().then(async (own) => {
            const page = JSON.parse(own.text)
            const other = JSON.parse((await passing.pass({ path: '/v1/apps', ...isOfOther })).text)
            return { ...own, text: JSON.stringify({ ...page, data: [...page.data, ...other.data] }) }
          })
        : undefined,
  ],
  [
    "shows another caller's app",
    'apps.status.404-foreign',
    (passing) =>
      isAppRead(passing) && passing.key === 'key_pro' && !passing.path.endsWith('verify')
        ? passing.pass().then((own) => (own.status === 404 ? passing.pass(isOfOther) : own))
        : undefined,
  ],
  [
    'answers invalid parameters with 404',
    'apps.status.400',
    status((passing) => passing.method === 'POST' && isOfApps(passing), 400, 404),
  ],
  ['answers what a key does not permit with 404', 'apps.status.403', status(withKey('key_readonly'), 403, 404)],
  [
    'has errors of apps like those of plants',
    'apps.errors.body',
    body(isOfApps, isRefusal, ({ error: { message } }) => ({ error: 400, message })),
  ],
  [
    'leaves error.message out',
    'apps.errors.body',
    body(isOfApps, isRefusal, ({ error: { message: _, ...error } }) => ({ error })),
  ],
  [
    'has a number as error.request_id',
    'apps.errors.request-id',
    body(isOfApps, isRefusal, ({ error }) => ({ error: { ...error, request_id: 17 } })),
  ],
  [
    'has more requests left than the limit',
    'apps.headers.remaining',
    change(isOfApps, (answered) => {
      const left = Number(answered.headers['x-ratelimit-remaining']) + 1_000
      return { ...answered, headers: { ...answered.headers, 'x-ratelimit-remaining': String(left) } }
    }),
  ],
]

/** Faults that only show as the rate limit is spent. */
const limitFaults: typeof faults = [
  [
    'denies the last request of a minute',
    'apps.limit.granted',
    (passing) =>
      isAppList(passing) && passing.key === 'key_pro'
        ? passing.pass().then((answered) => {
            const isLast = Number(answered.headers['x-ratelimit-remaining']) === 0 && answered.status === 200
            return isLast ? passing.pass() : answered
          })
        : undefined,
  ],
  ['takes one request more than a minute holds', 'apps.limit.status', late(1)],
  ['never denies a request', 'apps.limit.status', late(Infinity)],
]

/** Accepts some requests over the limit. */
function late(count: number): Fault {
  let over = 0
  return change(isAppList, (answered) =>
    answered.status === 429 && ++over <= count
      ? { ...answered, status: 200, text: '{"data":[],"has_more":false,"next_cursor":null}' }
      : answered,
  )
}

for (const [name, rule, fault] of [...faults, ...limitFaults])
  test(`a server that ${name} breaks ${rule}, and nothing else`, async () => {
    const rateLimit = limitFaults.some(([limited]) => limited === name)
    const wrap = withFault(fault)
    const { report } = await verifyGreenhouse({}, { wrap, rate: Infinity, rateLimit, only: isRule })
    expect(brokenOf(report)).toEqual([rule])
  })

test('a server whose replies differ from the document alone differs, and breaks nothing', async () => {
  const wrap = withFault(body(isOfApps, isDone, ({ created_at: _, ...app }) => app))
  const { report } = await verifyGreenhouse({}, { wrap, rate: Infinity })
  const broken = report.rules.filter(({ outcome }) => outcome === 'broken')
  expect(broken.map(({ id, source }) => `${id} ${source}`)).toContain('document.apps.create ours')
  expect(brokenOf(report)).toEqual([])
})
