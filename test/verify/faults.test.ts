import { expect, test } from 'vitest'
import { createHttpClient } from '../../src/node-http/verify-http.ts'
import { createGreenhouse } from 'greenhouse-mock'
import { soaks } from '../support/soak.ts'
import { verifyGreenhouse } from './against.ts'
import {
  body,
  change,
  header,
  isAppList,
  isCreation,
  isDeletion,
  isDone,
  isOfApps,
  isOfPlants,
  isPlantList,
  isRefusal,
  json,
  sentBy,
  status,
  withFault,
  type Fault,
  type Passing,
} from './faults.ts'

const is = (expected: number) => (given: number) => given === expected
const withoutKey = ({ key }: Passing) => key === undefined
const withKey = (wanted: string) => (passing: Passing) => passing.key === wanted
const withWrongKey = ({ key }: Passing) => key?.startsWith('greenhouse-verify') === true
const both =
  (...all: ((passing: Passing) => boolean)[]) =>
  (passing: Passing) =>
    all.every((one) => one(passing))

/** Accepts an invalid body as a plant. */
const takes = (isWrong: (sent: Record<string, unknown>, text: string) => boolean): Fault =>
  change(
    (passing) => isCreation(passing) && isWrong(sentBy(passing), String(passing.asked.body)),
    (answered) => (answered.status === 400 ? { ...answered, status: 200, text: '{"name":"Any"}' } : answered),
  )

/** Each fault by what is wrong, with the one rule that it breaks. */
const faults: Record<string, [rule: string, fault: Fault]> = {
  'lists plants without a key': [
    'plants.list.auth.missing',
    (passing) =>
      isPlantList(passing) && withoutKey(passing) && !passing.asked.headers['Authorization']
        ? json(200, [])
        : undefined,
  ],
  'refuses a list without a key with 403': [
    'plants.list.auth.missing',
    change((passing) => isPlantList(passing) && !passing.asked.headers['Authorization'], status(is(401), 403)),
  ],
  'lists plants for an unknown key': [
    'plants.list.auth.invalid',
    (passing) => (isPlantList(passing) && withWrongKey(passing) ? json(200, []) : undefined),
  ],
  'lists plants for an expired key': [
    'plants.list.auth.expired',
    (passing) => (isPlantList(passing) && withKey('key_expired')(passing) ? json(200, []) : undefined),
  ],
  'takes a key without the word Bearer': [
    'plants.list.auth.scheme',
    (passing) => {
      const { Authorization: credentials } = passing.asked.headers
      return isPlantList(passing) && credentials === 'key_pro'
        ? passing.pass({ headers: { Authorization: `Bearer ${credentials}` } })
        : undefined
    },
  ],
  'creates plants without a key': [
    'plants.create.auth',
    (passing) =>
      isCreation(passing) && withoutKey(passing)
        ? passing.pass({ headers: { ...passing.asked.headers, Authorization: 'Bearer key_pro' } })
        : undefined,
  ],
  'refuses a creation without a key, and makes the plant all the same': [
    'plants.create.auth',
    (passing) =>
      isCreation(passing) && withoutKey(passing)
        ? passing
            .pass({ headers: { ...passing.asked.headers, Authorization: 'Bearer key_pro' } })
            .then(() => passing.pass())
        : undefined,
  ],
  'deletes plants without a key': [
    'plants.delete.auth',
    (passing) =>
      isDeletion(passing) && withoutKey(passing)
        ? passing.pass({ headers: { ...passing.asked.headers, Authorization: 'Bearer key_pro' } })
        : undefined,
  ],
  'refuses a deletion with a wrong key with 404': [
    'plants.delete.auth',
    change(both(isDeletion, withWrongKey), (answered) =>
      answered.status === 401 ? { ...answered, status: 404 } : answered,
    ),
  ],
  'lists plants in an object': [
    'plants.list.reply',
    change(
      isPlantList,
      body((data) => ({ data }), isDone),
    ),
  ],
  'lists plants whose tag is null where there is none': [
    'plants.list.reply',
    change(
      isPlantList,
      body((plants) => plants.map((plant: object) => ({ tag: null, ...plant })), isDone),
    ),
  ],
  'lists plants whose name is called title': [
    'plants.list.reply',
    change(
      (passing) => isPlantList(passing) && passing.query.size === 0,
      body(
        (plants) =>
          plants.map(({ name, ...rest }: { name: string }, at: number) =>
            at === 0 ? { title: name, ...rest } : { name, ...rest },
          ),
        isDone,
      ),
    ),
  ],
  'lists one plant more than the limit': ['plants.list.limit', moved(1)],
  'lists one plant less than the limit': ['plants.list.limit', moved(-1)],
  "lists another caller's plants": [
    'plants.list.own',
    (passing) =>
      isPlantList(passing) && passing.key === 'key_pro'
        ? passing.pass().then(async (own) => {
            if (own.status !== 200 || (passing.query.get('limit') ?? '999').length < 3) return own
            const other = await passing.pass({
              headers: { ...passing.asked.headers, Authorization: 'Bearer key_pro_plus' },
            })
            return { ...own, text: JSON.stringify([...JSON.parse(own.text), ...JSON.parse(other.text)]) }
          })
        : undefined,
  ],
  'answers a creation with 201': ['plants.create.status', change(isCreation, status(is(200), 201))],
  'answers a creation with a plant without its tag': [
    'plants.create.reply',
    change(
      isCreation,
      body(({ tag: _, ...plant }) => plant, isDone),
    ),
  ],
  'answers a creation with a name in capitals': [
    'plants.create.reply',
    change(
      isCreation,
      body((plant) => ({ ...plant, name: plant.name?.toUpperCase() }), isDone),
    ),
  ],
  'answers a creation with nothing': [
    'plants.create.reply',
    change(isCreation, (answered) => (isDone(answered.status) ? { ...answered, text: '' } : answered)),
  ],
  'wants a tag': [
    'plants.create.tag-optional',
    (passing) =>
      isCreation(passing) && isBare(sentBy(passing))
        ? passing.pass({ body: '{}' }).then((refused) => refused)
        : undefined,
  ],
  'answers a creation without a tag with a tag that is null': [
    'plants.create.tag-optional',
    change(
      isCreation,
      body((plant) => ({ tag: null, ...plant }), isDone),
    ),
  ],
  'does not list a plant that was created': [
    'plants.create.listed',
    (() => {
      let hidden: unknown
      return (passing) => {
        const { tag, name } = sentBy(passing)
        if (isCreation(passing) && tag === 'verify') hidden = name
        return isPlantList(passing)
          ? passing
              .pass()
              .then((answered) =>
                body((plants) => plants.filter(({ name }: { name: string }) => name !== hidden), isDone)(
                  answered,
                  passing,
                ),
              )
          : undefined
      }
    })(),
  ],
  'rounds ids to doubles as they are created': [
    'plants.create.int64',
    (passing) => {
      if (!isCreation(passing)) return undefined
      return passing.pass({ body: rounded(String(passing.asked.body)) })
    },
  ],
  'rounds ids to doubles as they are deleted': [
    'plants.delete.int64',
    (passing) => {
      if (!isDeletion(passing)) return undefined
      const id = passing.path.split('/').at(-1)!
      return passing.pass({ path: `/plants/${/^\d{17,}$/.test(id) ? BigInt(Number(id)) : id}` })
    },
  ],
  'takes a plant without a name': ['plants.create.refuses.no-name', takes((sent) => 'id' in sent && !('name' in sent))],
  'takes a plant without an id': ['plants.create.refuses.no-id', takes((sent) => 'name' in sent && !('id' in sent))],
  'takes a name that is a number': ['plants.create.refuses.name-type', takes(({ name }) => typeof name === 'number')],
  'takes a name that is null': ['plants.create.refuses.name-null', takes(({ name }) => name === null)],
  'takes a tag that is a number': ['plants.create.refuses.tag-type', takes(({ tag }) => typeof tag === 'number')],
  'takes an id that is a text': ['plants.create.refuses.id-text', takes(({ id }) => typeof id === 'string')],
  'takes an id that is a fraction': [
    'plants.create.refuses.id-fraction',
    takes(({ id }) => typeof id === 'number' && !Number.isInteger(id)),
  ],
  'takes an id of more than 64 bits': [
    'plants.create.refuses.id-range',
    takes((_, text) => text.includes('9223372036854775808')),
  ],
  'takes what is no JSON': ['plants.create.refuses.not-json', takes((_, text) => /^\{[^}]*$/.test(text))],
  'takes a list in the place of a plant': ['plants.create.refuses.no-object', takes((_, text) => text.startsWith('['))],
  'takes an empty body': ['plants.create.refuses.empty', takes((_, text) => text === '' || text === 'undefined')],
  'refuses what is no plant with 422': [
    'plants.create.refuses.no-name',
    change(
      (passing) => isCreation(passing) && !('name' in sentBy(passing)) && 'id' in sentBy(passing),
      status(is(400), 422),
    ),
  ],
  'refuses a plant whose tag is a number, and makes it all the same': [
    'plants.create.refuses.tag-type',
    (passing) =>
      isCreation(passing) && typeof sentBy(passing)['tag'] === 'number'
        ? passing
            .pass({ body: JSON.stringify({ ...sentBy(passing), tag: 'x' }) })
            .then(() => json(400, { error: 400, message: 'tag' }))
        : undefined,
  ],
  'says that a plant is deleted, and keeps it': [
    'plants.delete.gone',
    (() => {
      let count = 0
      return (passing) =>
        isDeletion(passing) && passing.key === 'key_pro' && ++count === 1
          ? Promise.resolve({ status: 204, headers: {}, text: '' })
          : undefined
    })(),
  ],
  'deletes two plants at once': [
    'plants.delete.single',
    (() => {
      const made: unknown[] = []
      return (passing) => {
        const { id } = sentBy(passing)
        if (isCreation(passing) && passing.key === 'key_pro' && id !== undefined) made.push(id)
        if (!isDeletion(passing) || passing.key !== 'key_pro') return undefined
        const place = made.findIndex((one) => String(one) === passing.path.split('/').at(-1))
        const next = made[place + 1]
        return next === undefined
          ? undefined
          : passing.pass({ path: `/plants/${String(next)}` }).then(() => passing.pass())
      }
    })(),
  ],
  'answers a deletion with a body': [
    'plants.delete.no-body',
    change(isDeletion, (answered) =>
      isDone(answered.status) ? { status: 200, headers: { 'content-type': 'application/json' }, text: '{}' } : answered,
    ),
  ],
  "deletes another caller's plants": [
    'plants.delete.own',
    (passing) =>
      isDeletion(passing) && passing.key === 'key_pro'
        ? passing
            .pass()
            .then(async (answered) =>
              answered.status === 404
                ? passing.pass({ headers: { ...passing.asked.headers, Authorization: 'Bearer key_pro_plus' } })
                : answered,
            )
        : undefined,
  ],
  'tells errors of plants as those of app management': [
    'plants.errors.body',
    change(
      isOfPlants,
      body(({ error, message }) => ({ error: { code: String(error), message } }), isRefusal),
    ),
  ],
  'tells the error of plants as a text': [
    'plants.errors.body',
    change(
      isOfPlants,
      body((error) => ({ ...error, error: 'bad' }), isRefusal),
    ),
  ],
  'tells an error of plants of more than 32 bits': [
    'plants.errors.body',
    change(
      isOfPlants,
      body((error) => ({ ...error, error: 2 ** 31 }), isRefusal),
    ),
  ],
  'leaves the message of plants out': [
    'plants.errors.body',
    change(
      isOfPlants,
      body(({ error }) => ({ error }), isRefusal),
    ),
  ],
  'declares plants as text': [
    'plants.json',
    change(
      isOfPlants,
      header('content-type', () => 'text/plain'),
    ),
  ],
  'lists apps without a key': [
    'apps.auth.missing',
    change(
      both(isAppList, (passing) => !passing.asked.headers['Authorization']),
      (answered) => ({ ...answered, status: 403 }),
    ),
  ],
  'refuses a wrong key of app management with 403': [
    'apps.auth.invalid',
    change(both(isAppList, withWrongKey), status(is(401), 403)),
  ],
  'calls an invalid key unauthorized': [
    'apps.auth.invalid-code',
    change(
      both(isOfApps, withWrongKey),
      body(({ error }) => ({ error: { ...error, code: 'unauthorized' } }), is(401)),
    ),
  ],
  'refuses an expired key of app management with 403': [
    'apps.auth.expired',
    change(both(isOfApps, withKey('key_expired')), status(is(401), 403)),
  ],
  'calls an expired key expired_api_key': [
    'apps.auth.expired-code',
    change(
      both(isOfApps, withKey('key_expired')),
      body(({ error }) => ({ error: { ...error, code: 'expired_api_key' } }), is(401)),
    ),
  ],
  'takes a key of app management as Basic': [
    'apps.auth.scheme',
    (passing) =>
      isOfApps(passing) && passing.asked.headers['Authorization']?.startsWith('Basic ')
        ? passing.pass({ headers: { Authorization: 'Bearer key_pro' } })
        : undefined,
  ],
  'does not list an app that was created': [
    'apps.list.created',
    change(
      isAppList,
      body(
        ({ data, ...page }) => ({
          ...page,
          data: data.filter(({ name }: { name: string }) => !name.startsWith('greenhouse-verify')),
        }),
        isDone,
      ),
    ),
  ],
  "lists another caller's apps": [
    'apps.list.own',
    (passing) =>
      isAppList(passing) && passing.key === 'key_pro' && passing.query.has('limit')
        ? passing.pass().then(async (own) => {
            const other = await passing.pass({ path: '/v1/apps', headers: { Authorization: 'Bearer key_pro_plus' } })
            const page = JSON.parse(own.text)
            return { ...own, text: JSON.stringify({ ...page, data: [...page.data, ...JSON.parse(other.text).data] }) }
          })
        : undefined,
  ],
  'answers 400 to an app that does not exist': [
    'apps.status.404',
    change(({ path }) => path === '/v1/apps/app_greenhouseverify', status(is(404), 400)),
  ],
  "shows another caller's app": [
    'apps.status.404-foreign',
    (passing) =>
      passing.method === 'GET' && passing.path.startsWith('/v1/apps/app_') && passing.key === 'key_pro'
        ? passing
            .pass()
            .then((answered) =>
              answered.status === 404 && !passing.path.endsWith('verify')
                ? passing
                    .pass({ headers: { Authorization: 'Bearer key_pro_plus' } })
                    .then((other) => ({ ...answered, status: other.status, text: other.text }))
                : answered,
            )
        : undefined,
  ],
  'answers invalid parameters with 404': [
    'apps.status.400',
    change((passing) => passing.method === 'POST' && isOfApps(passing), status(is(400), 404)),
  ],
  'answers what a key does not permit with 404': [
    'apps.status.403',
    change(both(isOfApps, withKey('key_readonly')), status(is(403), 404)),
  ],
  'answers a method that a path of app management does not have with 405': [
    'apps.errors.status',
    change(({ method, path }) => method === 'PATCH' && path === '/v1/apps', status(is(404), 405)),
  ],
  'tells errors of app management as those of plants': [
    'apps.errors.body',
    change(
      isOfApps,
      body(({ error: { message } }) => ({ error: 400, message }), isRefusal),
    ),
  ],
  'leaves error.message out': [
    'apps.errors.body',
    change(
      isOfApps,
      body(({ error: { message: _, ...error } }) => ({ error }), isRefusal),
    ),
  ],
  'leaves error.request_id out': [
    'apps.errors.request-id',
    change(
      isOfApps,
      body(({ error: { request_id: _, ...error } }) => ({ error }), isRefusal),
    ),
  ],
  'tells error.request_id as a number': [
    'apps.errors.request-id',
    change(
      isOfApps,
      body(({ error }) => ({ error: { ...error, request_id: 17 } }), isRefusal),
    ),
  ],
  'declares app management as text': [
    'apps.json',
    change(
      isOfApps,
      header('content-type', () => 'text/plain'),
    ),
  ],
  'leaves X-RateLimit-Limit out': [
    'apps.headers.limit',
    change(
      isOfApps,
      header('x-ratelimit-limit', () => undefined),
    ),
  ],
  'tells a limit that is one too high': [
    'apps.headers.limit',
    change(
      isOfApps,
      header('x-ratelimit-limit', (limit) => String(Number(limit) + 1)),
    ),
  ],
  'leaves X-RateLimit-Remaining out': [
    'apps.headers.remaining',
    change(
      isOfApps,
      header('x-ratelimit-remaining', () => undefined),
    ),
  ],
  'tells more left than the limit': [
    'apps.headers.remaining',
    change(
      isOfApps,
      header('x-ratelimit-remaining', (left) => String(Number(left) + 1_000)),
    ),
  ],
  'leaves X-RateLimit-Reset out': [
    'apps.headers.reset',
    change(
      isOfApps,
      header('x-ratelimit-reset', () => undefined),
    ),
  ],
  'tells a reset in the past': [
    'apps.headers.reset',
    change(
      isOfApps,
      header('x-ratelimit-reset', (at) => String(Number(at) - 3_600)),
    ),
  ],
  'counts two for each request': [
    'apps.limit.counts',
    change(
      both(isOfApps, withKey('key_pro')),
      header('x-ratelimit-remaining', (left) => String(Math.max(0, 300 - 2 * (300 - Number(left))))),
    ),
  ],
}

function isBare(sent: Record<string, unknown>): boolean {
  return Object.keys(sent).sort().join() === 'id,name'
}

function rounded(text: string): string {
  return text.replace(/"id":(\d{17,})/, (_, id: string) => `"id":${BigInt(Number(id))}`)
}

/** Lists so many more than the limit, or less. */
function moved(by: number): Fault {
  return (passing) => {
    const limit = Number(passing.query.get('limit') ?? '0')
    return isPlantList(passing) && limit > 1 && limit < 1_000
      ? passing.pass({ path: `/plants?limit=${limit + by}` })
      : undefined
  }
}

/** Faults that only show as the rate limit is spent. */
const limitFaults: typeof faults = {
  'refuses the last request of a minute': [
    'apps.limit.granted',
    (passing) =>
      isAppList(passing) && passing.key === 'key_pro'
        ? passing
            .pass()
            .then((answered) =>
              Number(answered.headers['x-ratelimit-remaining']) === 0 && answered.status === 200
                ? passing.pass()
                : answered,
            )
        : undefined,
  ],
  'takes one request more than a minute holds': ['apps.limit.status', late(1)],
  'never refuses a request': ['apps.limit.status', late(Infinity)],
}

/** Accepts some requests over the limit. */
function late(count: number): Fault {
  let over = 0
  return (passing) =>
    isAppList(passing)
      ? passing
          .pass()
          .then((answered) =>
            answered.status === 429 && ++over <= count
              ? { ...answered, status: 200, text: '{"data":[],"has_more":false,"next_cursor":null}' }
              : answered,
          )
      : undefined
}

const assumed = new Set<string>(
  createGreenhouse()
    .assumptions()
    .map(({ id }) => id),
)

/** Unless the tests run at full size, one fault in three. */
const tried = Object.entries({ ...faults, ...limitFaults }).filter((_, index) => soaks || index % 3 === 0)

for (const [name, [rule, fault]] of tried)
  test(`a server that ${name} breaks ${rule}, and nothing else`, async () => {
    const { send, close } = createHttpClient()
    const { report } = await verifyGreenhouse(
      {},
      {
        send: withFault(send, fault),
        rate: Infinity,
        rateLimit: name in limitFaults,
        only: (id) => !assumed.has(id),
      },
    )
    close()
    const broken = report.rules.filter(({ outcome, source }) => outcome === 'broken' && source === 'stated')
    expect(broken.map(({ id }) => id)).toEqual([rule])
  })

test('a server whose replies differ from the document alone differs, and breaks nothing', async () => {
  const { send, close } = createHttpClient()
  const fault = change(
    isOfApps,
    body(({ created_at: _, ...app }) => app, isDone),
  )
  const { report } = await verifyGreenhouse({}, { send: withFault(send, fault), rate: Infinity })
  close()
  const broken = report.rules.filter(({ outcome }) => outcome === 'broken')
  expect(broken.map(({ id, source }) => `${id} ${source}`)).toContain('document.apps.create ours')
  expect(broken.filter(({ source }) => source === 'stated')).toEqual([])
})
