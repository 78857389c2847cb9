import { expect, test } from 'vitest'
import { statusRule } from '../../src/contract/verify/probe.ts'
import { type KeyNeed, Session, type SessionOptions } from '../../src/contract/verify/session.ts'
import type { RawReply } from '../../src/contract/verify/wire.ts'
import { brokenOf, verifyStore } from './against.ts'
import { parse, Store, type Kept, type Read } from './store.ts'

/** A mistake of a store: methods that replace its own. */
type Mistake = (store: Store) => Partial<Store>

/** Mistakes by the one rule that they break, and what the store does. */
type Mistakes = Readonly<Record<string, Mistake>>

type Method = 'plant' | 'app' | 'counted' | 'read' | 'create' | 'keep' | 'remove'

const replace =
  <Name extends Method>(
    name: Name,
    by: (own: Store[Name], store: Store) => Partial<Store>[Name],
  ): Mistake =>
  (store) => ({ [name]: by(store[name].bind(store) as Store[Name], store) })

const answering = (
  area: 'plant' | 'app',
  answer: (read: Read, store: Store) => RawReply | undefined,
): Mistake => replace(area, (own, store) => (read) => answer(read, store) ?? own(read))

const header = (name: string, to: (value: string, read: Read) => string | undefined): Mistake =>
  replace('counted', (own) => (read, uncounted) => {
    const reply = own(read, uncounted)
    const { [name]: value, ...headers } = reply.headers
    const changed = to(value!, read)
    return { ...reply, headers: changed === undefined ? headers : { ...headers, [name]: changed } }
  })

/** Shows the plants of its list in another way than those that it creates. */
const listing =
  (change: (plants: readonly Kept[], store: Store) => unknown): Mistake =>
  (store) => ({ list: (owner) => store.json(200, change(store.seenBy(owner), store)) })

const creating = (change: (reply: RawReply, store: Store) => RawReply): Mistake =>
  replace('create', (own, store) => (owner, text) => {
    const reply = own(owner, text)
    return reply.status === 200 ? change(reply, store) : reply
  })

const reading = (
  change: (sent: ReturnType<Store['read']> & object) => ReturnType<Store['read']>,
): Mistake =>
  replace('read', (own) => (text) => {
    const sent = own(text)
    return sent && change(sent)
  })

const isList = ({ method, path }: Read) => method === 'GET' && path === '/plants'
const isAppList = ({ method, path }: Read) => method === 'GET' && path === '/v1/apps'
const isWrong = (authorization: string | undefined) =>
  authorization?.startsWith('Bearer greenhouse') === true

const listingFor = (isMeant: (authorization: string | undefined) => boolean): Mistake =>
  answering('plant', (read, store) =>
    isList(read) && isMeant(read.authorization) ? store.list('own', read.query) : undefined,
  )

const denying = (isMeant: (read: Read) => boolean, status: number, code: string): Mistake =>
  answering('app', (read, store) => (isMeant(read) ? store.refuseApp(status, code) : undefined))

const done: RawReply = { status: 204, headers: {}, text: '' }

const ofPlants: Mistakes = {
  'plants.list.auth.missing: lists plants without a key': listingFor(
    (authorization) => authorization === undefined,
  ),
  'plants.list.auth.invalid: lists plants for an unknown key': listingFor(isWrong),
  'plants.list.auth.expired: lists plants for an expired key': listingFor(
    (given) => given === 'Bearer expired',
  ),
  'plants.list.auth.scheme: lists plants for a key after "Basic"': listingFor(
    (given) => given === 'Basic own',
  ),
  'plants.create.auth: creates plants without a key': answering('plant', (read, store) =>
    read.method === 'POST' && read.authorization === undefined
      ? store.create('own', read.text)
      : undefined,
  ),
  'plants.create.auth: denies a wrong key, and creates the plant': answering(
    'plant',
    (read, store) => {
      if (read.method === 'POST' && read.owner === undefined) store.create('own', read.text)
      return undefined
    },
  ),
  'plants.delete.auth: denies a deletion without a key, and deletes': answering(
    'plant',
    (read, store) => {
      if (read.method === 'DELETE' && read.owner === undefined)
        store.remove('own', read.path.split('/').at(-1)!)
      return undefined
    },
  ),
  'plants.delete.auth: answers a deletion without a key with 204': answering('plant', (read) =>
    read.method === 'DELETE' && read.authorization === undefined ? done : undefined,
  ),
  'plants.list.reply: lists plants in an object': listing((plants, { show }) => ({
    data: plants.map(show),
  })),
  'plants.list.reply: lists a tag of null': listing((plants) =>
    plants.map(({ name, tag = null }) => ({ name, tag })),
  ),
  'plants.list.reply: lists names as title': listing((plants) =>
    plants.map(({ name }) => ({ title: name })),
  ),
  'plants.list.limit: lists one plant more than the limit': answering('plant', (read, store) => {
    const limit = Number(read.query.get('limit') ?? 0)
    return isList(read) && read.owner && limit > 1 && limit < 2 ** 31 - 1
      ? store.list(read.owner, new URLSearchParams({ limit: String(limit + 1) }))
      : undefined
  }),
  "plants.list.own: lists everybody's plants": (store) => ({
    seenBy: () => store.plants.filter((plant) => !store.isGone(plant)),
  }),
  'plants.create.status: answers a creation with 201': creating((reply) => ({
    ...reply,
    status: 201,
  })),
  'plants.create.reply: answers a creation without the tag': creating((reply, store) =>
    store.json(200, { name: parse(reply.text)!['name'] }),
  ),
  'plants.create.reply: answers a creation with a list': creating((reply, store) =>
    store.json(200, [parse(reply.text)]),
  ),
  'plants.create.reply: answers a creation with another name': creating((reply, store) =>
    store.json(200, { ...parse(reply.text), name: 'Fern' }),
  ),
  'plants.create.reply: answers a creation with nothing': creating((reply) => ({
    ...reply,
    text: '',
  })),
  'plants.create.tag-optional: answers a creation with a tag of null': creating((reply, store) =>
    store.json(200, { tag: null, ...parse(reply.text) }),
  ),
  'plants.create.tag-optional: wants a tag': reading((sent) =>
    sent.tag === undefined ? undefined : sent,
  ),
  'plants.create.listed: never lists what was created': () => ({ seenBy: () => [] }),
  'plants.create.unicode: loses what is no ASCII in a name': reading((sent) => ({
    ...sent,
    name: sent.name.replace(/[^\x20-\x7e]/g, '?'),
  })),
  'plants.create.unicode: lists names in another encoding': listing((plants, { show }) =>
    plants.map(({ name, ...rest }) =>
      show({ ...rest, name: Buffer.from(name, 'utf8').toString('latin1') }),
    ),
  ),
  'plants.create.int64: keeps ids as doubles': (store) => ({
    ...replace('keep', (own) => (owner, sent) => {
      const id = BigInt(Number(sent.id))
      store.plants = store.plants.filter((plant) => plant.id !== id || store.isGone(plant))
      own(owner, { ...sent, id })
    })(store),
    isMeant: (plant, id) => /^-?\d+$/.test(id) && plant.id === BigInt(Number(id)),
  }),
  'plants.delete.int64: finds plants by ids as doubles': () => ({
    isMeant: (plant, id) => Number(plant.id) === Number(id),
  }),
  'plants.delete.gone: keeps the first that it deletes': replace('remove', (own) => {
    let count = 0
    return (owner, id) => (++count === 1 ? done : own(owner, id))
  }),
  'plants.delete.single: deletes all plants of a caller': replace(
    'remove',
    (own, store) => (owner, id) => {
      const reply = own(owner, id)
      if (reply.status === 204)
        for (const plant of store.plants)
          if (plant.owner === owner && !store.isGone(plant)) plant.until = store.now
      return reply.status === 404 ? done : reply
    },
  ),
  'plants.delete.no-body: answers a deletion with a body': replace(
    'remove',
    (own, store) => (owner, id) =>
      own(owner, id).status === 204 ? store.json(200, {}) : store.refuse(404),
  ),
  "plants.delete.own: deletes everybody's plants": replace('remove', (own) => (_, id) => {
    const reply = own('own', id)
    return reply.status === 404 ? own('other', id) : reply
  }),
  'plants.errors.body: has errors of plants like those of apps': (store) => ({
    refuse: (status) => store.refuseApp(status, 'bad'),
  }),
  'plants.errors.body: leaves the message of an error of plants out': (store) => ({
    refuse: (status) => store.json(status, { error: status }),
  }),
  'plants.errors.body: has an error of plants of more than 32 bits': (store) => ({
    refuse: (status) => store.json(status, { error: 2 ** 31, message: 'No.' }),
  }),
  'plants.json: sends plants as text/html': replace('plant', (own) => (read) => ({
    ...own(read),
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })),
}

let nextId = 90_000n

/** Accepts some invalid objects as plants, with their id unless they have none that can be kept. */
const takes = (isWrong: (sent: Record<string, any>, text: string) => boolean): Mistake =>
  replace('read', (own) => (text) => {
    const sent = parse(text)
    if (own(text) || !sent || !isWrong(sent, text)) return own(text)
    const id =
      typeof sent['id'] === 'number' && Math.abs(sent['id']) < 2 ** 53
        ? Math.floor(sent['id'])
        : nextId++
    return { id: BigInt(id), name: String(sent['name']) }
  })

const takesText = (toObject: (text: string) => Record<string, any> | undefined): Mistake =>
  replace('read', (own) => (text) => {
    const sent = own(text) ? undefined : toObject(text)
    return sent ? { id: BigInt(sent['id'] ?? nextId++), name: String(sent['name']) } : own(text)
  })

const taken: Mistakes = {
  'plants.create.refuses.no-name: takes a plant without a name': takes((sent) => !('name' in sent)),
  'plants.create.refuses.no-id: takes a plant without an id': takes((sent) => !('id' in sent)),
  'plants.create.refuses.name-type: takes a name that is a number': takes(
    ({ name }) => typeof name === 'number',
  ),
  'plants.create.refuses.name-null: takes a name of null': takes(({ name }) => name === null),
  'plants.create.refuses.tag-type: takes a tag that is a number': takes(
    ({ tag }) => typeof tag === 'number',
  ),
  'plants.create.refuses.id-text: takes an id that is a text': takes(
    ({ id }) => typeof id === 'string',
  ),
  'plants.create.refuses.id-fraction: takes an id that is a fraction': takes(
    ({ id }) => typeof id === 'number' && !Number.isInteger(id),
  ),
  'plants.create.refuses.id-range: takes an id of more than 64 bits': takes((_, text) =>
    text.includes('9223372036854775808'),
  ),
  'plants.create.refuses.not-json: takes what is no JSON': takesText((text) =>
    /^\{[^}]+$/.test(text) ? { name: parse(`${text}}`)?.['name'] } : undefined,
  ),
  'plants.create.refuses.no-object: takes a list of plants': takesText((text) =>
    text.startsWith('[') ? parse(text.slice(1, -1)) : undefined,
  ),
  'plants.create.refuses.empty: takes an empty body': takesText((text) =>
    text === '' ? { name: 'Nameless' } : undefined,
  ),
}

const without401 = (value: string, { owner }: Read) => (owner === undefined ? undefined : value)

const ofApps: Mistakes = {
  'apps.json: sends apps as text/html': replace('counted', (own) => (read, uncounted) => {
    const reply = own(read, uncounted)
    return { ...reply, headers: { ...reply.headers, 'content-type': 'text/html' } }
  }),
  'apps.auth.missing: lists apps without a key': answering('app', (read, store) =>
    isAppList(read) && read.authorization === undefined ? store.json(200, []) : undefined,
  ),
  'apps.list.own: shows everybody an app of a third caller': answering('app', (read, store) =>
    isAppList(read) && read.owner
      ? store.json(200, [{ id: `app_of_${read.owner}` }, { id: 'app_17' }])
      : undefined,
  ),
  'apps.auth.invalid: denies a wrong key of apps with 403': denying(
    (read) => isAppList(read) && isWrong(read.authorization),
    403,
    'invalid_api_key',
  ),
  'apps.auth.invalid-code: calls an invalid key bad_key': denying(
    ({ authorization }) => isWrong(authorization),
    401,
    'bad_key',
  ),
  'apps.auth.invalid-code: calls an invalid key unauthorized': denying(
    ({ authorization }) => isWrong(authorization),
    401,
    'unauthorized',
  ),
  'apps.status.404: answers what does not exist with 400': denying(
    ({ method, path }) => method === 'GET' && path.startsWith('/v1/apps/'),
    400,
    'not_found',
  ),
  'apps.errors.status: answers 405': denying(
    ({ method }) => method === 'PATCH',
    405,
    'no_such_method',
  ),
  'apps.errors.request-id: leaves request_id out': (store) => ({
    refuseApp: (status, code) => store.json(status, { error: { code, message: 'No.' } }),
  }),
  'apps.errors.request-id: has a number as error.request_id': (store) => ({
    refuseApp: (status, code) =>
      store.json(status, { error: { code, message: 'No.', request_id: 17 } }),
  }),
  'apps.errors.body: leaves error.message out': (store) => ({
    refuseApp: (status, code) => store.json(status, { error: { code, request_id: 'req_17' } }),
  }),
  'apps.headers.limit: never sends the limit': header('x-ratelimit-limit', () => undefined),
  'apps.headers.remaining: never sends what is left': header(
    'x-ratelimit-remaining',
    () => undefined,
  ),
  'apps.headers.reset: never sends the reset': header('x-ratelimit-reset', () => undefined),
  'apps.headers.remaining: has more requests left than the limit': header(
    'x-ratelimit-remaining',
    (left) => String(Number(left) + 1_000),
  ),
  'apps.headers.limit: leaves the limit out of a 401': header('x-ratelimit-limit', without401),
  'apps.headers.remaining: leaves what is left out of a 401': header(
    'x-ratelimit-remaining',
    without401,
  ),
  'apps.headers.reset: leaves the reset out of a 401': header('x-ratelimit-reset', without401),
  'apps.headers.limit: leaves the limit out of the first reply': (() => {
    let count = 0
    return header('x-ratelimit-limit', (value) => (++count === 1 ? undefined : value))
  })(),
  'apps.headers.limit: has a limit of no plan': header('x-ratelimit-limit', () => '601'),
  'apps.headers.reset: has a reset in the past': header('x-ratelimit-reset', (at) =>
    String(Number(at) - 3_600),
  ),
  'apps.limit.counts: counts a request twice': header('x-ratelimit-remaining', (left, { owner }) =>
    owner ? String(600 - 2 * (600 - Number(left))) : left,
  ),
}

for (const [title, mistake] of Object.entries({ ...ofPlants, ...taken, ...ofApps }))
  test(`a store breaks this rule and nothing else: ${title}`, async () => {
    const [rule] = title.split(':')
    const store = new Store()
    const report = await verifyStore(Object.assign(store, mistake(store)))
    expect(brokenOf(report)).toEqual([rule])
    // Objects that it could not delete are reported, by name or id.
    expect(report.left).toHaveLength(store.plants.filter((plant) => !store.isGone(plant)).length)
  })

test('a row reaches the keys that it names alone, and never the main one in their place', async () => {
  const asked: unknown[] = []
  const send = async () => Promise.reject(new Error(`asked ${asked.push('the main key')} times`))
  const options = { targets: { plants: 'http://plants.test' }, key: 'main', send }
  const session = new Session(options as unknown as SessionOptions)
  const tools = { session, key: (need: KeyNeed) => session.keyFor(need) }
  const row = statusRule(
    'plants.list.auth.expired',
    ['writes'],
    // @ts-expect-error The row does not name the need.
    ({ session, key }) => session.call('GET', '/plants', { key: key('expired-key') }),
    { statuses: [401] },
  )
  await expect(row.run(tools as never)).rejects.toThrow('it needs --expired-key')
  expect(asked).toEqual([])
})
