import { expect, test } from 'vitest'
import type { Answered } from '../../src/contract/verify/wire.ts'
import { brokenOf, verifyStore } from './against.ts'
import { parse, Store, type Kept, type Read } from './store.ts'

/** A mistake of a store: methods that replace its own. */
type Mistake = (store: Store) => Partial<Store>

/** Mistakes by what a store does, each with the one rule that it breaks. */
type Mistakes = [name: string, rule: string, mistake: Mistake][]

type Method = 'plant' | 'app' | 'counted' | 'read' | 'create' | 'keep' | 'remove'

/** Replaces a method by one that can call it. */
const replace =
  <Name extends Method>(name: Name, by: (own: Store[Name], store: Store) => Partial<Store>[Name]): Mistake =>
  (store) => ({ [name]: by(store[name].bind(store) as Store[Name], store) })

/** Answers some requests of an area differently. */
const answering = (area: 'plant' | 'app', answer: (read: Read, store: Store) => Answered | undefined): Mistake =>
  replace(area, (own, store) => (read) => answer(read, store) ?? own(read))

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

/** Answers a creation differently. */
const creating = (change: (reply: Answered, store: Store) => Answered): Mistake =>
  replace('create', (own, store) => (owner, text) => {
    const reply = own(owner, text)
    return reply.status === 200 ? change(reply, store) : reply
  })

/** Reads a plant differently, where it can be read. */
const reading = (change: (sent: ReturnType<Store['read']> & object) => ReturnType<Store['read']>): Mistake =>
  replace('read', (own) => (text) => {
    const sent = own(text)
    return sent && change(sent)
  })

const isList = ({ method, path }: Read) => method === 'GET' && path === '/plants'
const isAppList = ({ method, path }: Read) => method === 'GET' && path === '/v1/apps'
const isWrong = (authorization: string | undefined) => authorization?.startsWith('Bearer greenhouse') === true

/** Lists the plants of its first caller for others. */
const listingFor = (isMeant: (authorization: string | undefined) => boolean): Mistake =>
  answering('plant', (read, store) =>
    isList(read) && isMeant(read.authorization) ? store.list('own', read.query) : undefined,
  )

/** Answers some requests of apps with an error. */
const denying = (isMeant: (read: Read) => boolean, status: number, code: string): Mistake =>
  answering('app', (read, store) => (isMeant(read) ? store.refuseApp(status, code) : undefined))

const done: Answered = { status: 204, headers: {}, text: '' }

const ofPlants: Mistakes = [
  [
    'lists plants without a key',
    'plants.list.auth.missing',
    listingFor((authorization) => authorization === undefined),
  ],
  ['lists plants for an unknown key', 'plants.list.auth.invalid', listingFor(isWrong)],
  ['lists plants for an expired key', 'plants.list.auth.expired', listingFor((given) => given === 'Bearer expired')],
  ['lists plants for a key after "Basic"', 'plants.list.auth.scheme', listingFor((given) => given === 'Basic own')],
  [
    'creates plants without a key',
    'plants.create.auth',
    answering('plant', (read, store) =>
      read.method === 'POST' && read.authorization === undefined ? store.create('own', read.text) : undefined,
    ),
  ],
  [
    'denies a wrong key, and creates the plant',
    'plants.create.auth',
    answering('plant', (read, store) => {
      if (read.method === 'POST' && read.owner === undefined) store.create('own', read.text)
      return undefined
    }),
  ],
  [
    'denies a deletion without a key, and deletes',
    'plants.delete.auth',
    answering('plant', (read, store) => {
      if (read.method === 'DELETE' && read.owner === undefined) store.remove('own', read.path.split('/').at(-1)!)
      return undefined
    }),
  ],
  ['lists plants in an object', 'plants.list.reply', listing((plants, { show }) => ({ data: plants.map(show) }))],
  [
    'lists a tag of null',
    'plants.list.reply',
    listing((plants) => plants.map(({ name, tag = null }) => ({ name, tag }))),
  ],
  ['lists names as title', 'plants.list.reply', listing((plants) => plants.map(({ name }) => ({ title: name })))],
  [
    'lists one plant more than the limit',
    'plants.list.limit',
    answering('plant', (read, store) => {
      const limit = Number(read.query.get('limit') ?? 0)
      return isList(read) && read.owner && limit > 1 && limit < 2 ** 31 - 1
        ? store.list(read.owner, new URLSearchParams({ limit: String(limit + 1) }))
        : undefined
    }),
  ],
  [
    "lists everybody's plants",
    'plants.list.own',
    (store) => ({ seenBy: () => store.plants.filter((plant) => !store.isGone(plant)) }),
  ],
  ['answers a creation with 201', 'plants.create.status', creating((reply) => ({ ...reply, status: 201 }))],
  [
    'answers a creation without the tag',
    'plants.create.reply',
    creating((reply, store) => store.json(200, { name: parse(reply.text)!['name'] })),
  ],
  [
    'answers a creation with a list',
    'plants.create.reply',
    creating((reply, store) => store.json(200, [parse(reply.text)])),
  ],
  ['answers a creation with nothing', 'plants.create.reply', creating((reply) => ({ ...reply, text: '' }))],
  [
    'answers a creation with a tag of null',
    'plants.create.tag-optional',
    creating((reply, store) => store.json(200, { tag: null, ...parse(reply.text) })),
  ],
  ['wants a tag', 'plants.create.tag-optional', reading((sent) => (sent.tag === undefined ? undefined : sent))],
  ['never lists what was created', 'plants.create.listed', () => ({ seenBy: () => [] })],
  [
    'loses what is no ASCII in a name',
    'plants.create.unicode',
    reading((sent) => ({ ...sent, name: sent.name.replace(/[^\x20-\x7e]/g, '?') })),
  ],
  [
    'lists names in another encoding',
    'plants.create.unicode',
    listing((plants, { show }) =>
      plants.map(({ name, ...rest }) => show({ ...rest, name: Buffer.from(name, 'utf8').toString('latin1') })),
    ),
  ],
  [
    'keeps ids as doubles',
    'plants.create.int64',
    (store) => ({
      ...replace('keep', (own) => (owner, sent) => {
        const id = BigInt(Number(sent.id))
        store.plants = store.plants.filter((plant) => plant.id !== id || store.isGone(plant))
        own(owner, { ...sent, id })
      })(store),
      isMeant: (plant, id) => /^-?\d+$/.test(id) && plant.id === BigInt(Number(id)),
    }),
  ],
  [
    'finds plants by ids as doubles',
    'plants.delete.int64',
    () => ({ isMeant: (plant, id) => Number(plant.id) === Number(id) }),
  ],
  [
    'keeps the first that it deletes',
    'plants.delete.gone',
    replace('remove', (own) => {
      let count = 0
      return (owner, id) => (++count === 1 ? done : own(owner, id))
    }),
  ],
  [
    'deletes all plants of a caller',
    'plants.delete.single',
    replace('remove', (own, store) => (owner, id) => {
      const reply = own(owner, id)
      if (reply.status === 204)
        for (const plant of store.plants) if (plant.owner === owner && !store.isGone(plant)) plant.until = store.now
      return reply.status === 404 ? done : reply
    }),
  ],
  [
    'answers a deletion with a body',
    'plants.delete.no-body',
    replace(
      'remove',
      (own, store) => (owner, id) => (own(owner, id).status === 204 ? store.json(200, {}) : store.refuse(404)),
    ),
  ],
  [
    "deletes everybody's plants",
    'plants.delete.own',
    replace('remove', (own) => (_, id) => {
      const reply = own('own', id)
      return reply.status === 404 ? own('other', id) : reply
    }),
  ],
  [
    'has errors of plants like those of apps',
    'plants.errors.body',
    (store) => ({ refuse: (status) => store.refuseApp(status, 'bad') }),
  ],
  [
    'leaves the message of an error of plants out',
    'plants.errors.body',
    (store) => ({ refuse: (status) => store.json(status, { error: status }) }),
  ],
  [
    'sends plants as text/html',
    'plants.json',
    replace('plant', (own) => (read) => ({
      ...own(read),
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })),
  ],
]

let nextId = 90_000n

/** Accepts some invalid objects as plants, with their id unless they have none that can be kept. */
const takes = (isWrong: (sent: Record<string, any>, text: string) => boolean): Mistake =>
  replace('read', (own) => (text) => {
    const sent = parse(text)
    if (own(text) || !sent || !isWrong(sent, text)) return own(text)
    const id = typeof sent['id'] === 'number' && Math.abs(sent['id']) < 2 ** 53 ? Math.floor(sent['id']) : nextId++
    return { id: BigInt(id), name: String(sent['name']) }
  })

/** Accepts some texts that are no objects as plants. */
const takesText = (toObject: (text: string) => Record<string, any> | undefined): Mistake =>
  replace('read', (own) => (text) => {
    const sent = own(text) ? undefined : toObject(text)
    return sent ? { id: BigInt(sent['id'] ?? nextId++), name: String(sent['name']) } : own(text)
  })

/** Bodies that a plant store takes and should not. */
const taken: Mistakes = [
  ['takes a plant without a name', 'plants.create.refuses.no-name', takes((sent) => !('name' in sent))],
  ['takes a plant without an id', 'plants.create.refuses.no-id', takes((sent) => !('id' in sent))],
  ['takes a name that is a number', 'plants.create.refuses.name-type', takes(({ name }) => typeof name === 'number')],
  ['takes a name of null', 'plants.create.refuses.name-null', takes(({ name }) => name === null)],
  ['takes a tag that is a number', 'plants.create.refuses.tag-type', takes(({ tag }) => typeof tag === 'number')],
  ['takes an id that is a text', 'plants.create.refuses.id-text', takes(({ id }) => typeof id === 'string')],
  [
    'takes an id that is a fraction',
    'plants.create.refuses.id-fraction',
    takes(({ id }) => typeof id === 'number' && !Number.isInteger(id)),
  ],
  [
    'takes an id of more than 64 bits',
    'plants.create.refuses.id-range',
    takes((_, text) => text.includes('9223372036854775808')),
  ],
  [
    'takes what is no JSON',
    'plants.create.refuses.not-json',
    takesText((text) => (/^\{[^}]+$/.test(text) ? { name: parse(`${text}}`)?.['name'] } : undefined)),
  ],
  [
    'takes a list of plants',
    'plants.create.refuses.no-object',
    takesText((text) => (text.startsWith('[') ? parse(text.slice(1, -1)) : undefined)),
  ],
  [
    'takes an empty body',
    'plants.create.refuses.empty',
    takesText((text) => (text === '' ? { name: 'Nameless' } : undefined)),
  ],
]

const without401 = (value: string, { owner }: Read) => (owner === undefined ? undefined : value)

const ofApps: Mistakes = [
  [
    'sends apps as text/html',
    'apps.json',
    replace('counted', (own) => (read, uncounted) => {
      const reply = own(read, uncounted)
      return { ...reply, headers: { ...reply.headers, 'content-type': 'text/html' } }
    }),
  ],
  [
    'lists apps without a key',
    'apps.auth.missing',
    answering('app', (read, store) =>
      isAppList(read) && read.authorization === undefined ? store.json(200, []) : undefined,
    ),
  ],
  [
    'shows everybody an app of a third caller',
    'apps.list.own',
    answering('app', (read, store) =>
      isAppList(read) && read.owner ? store.json(200, [{ id: `app_of_${read.owner}` }, { id: 'app_17' }]) : undefined,
    ),
  ],
  [
    'denies a wrong key of apps with 403',
    'apps.auth.invalid',
    denying((read) => isAppList(read) && isWrong(read.authorization), 403, 'invalid_api_key'),
  ],
  [
    'calls an invalid key bad_key',
    'apps.auth.invalid-code',
    denying(({ authorization }) => isWrong(authorization), 401, 'bad_key'),
  ],
  [
    'answers what does not exist with 400',
    'apps.status.404',
    denying(({ method, path }) => method === 'GET' && path.startsWith('/v1/apps/'), 400, 'not_found'),
  ],
  ['answers 405', 'apps.errors.status', denying(({ method }) => method === 'PATCH', 405, 'no_such_method')],
  [
    'leaves request_id out',
    'apps.errors.request-id',
    (store) => ({ refuseApp: (status, code) => store.json(status, { error: { code, message: 'No.' } }) }),
  ],
  ['leaves the limit out of a 401', 'apps.headers.limit', header('x-ratelimit-limit', without401)],
  ['leaves what is left out of a 401', 'apps.headers.remaining', header('x-ratelimit-remaining', without401)],
  ['leaves the reset out of a 401', 'apps.headers.reset', header('x-ratelimit-reset', without401)],
  [
    'leaves the limit out of the first reply',
    'apps.headers.limit',
    (() => {
      let count = 0
      return header('x-ratelimit-limit', (value) => (++count === 1 ? undefined : value))
    })(),
  ],
  ['has a limit of no plan', 'apps.headers.limit', header('x-ratelimit-limit', () => '601')],
  ['has a reset in the past', 'apps.headers.reset', header('x-ratelimit-reset', (at) => String(Number(at) - 3_600))],
  [
    'counts a request twice',
    'apps.limit.counts',
    header('x-ratelimit-remaining', (left, { owner }) => (owner ? String(600 - 2 * (600 - Number(left))) : left)),
  ],
]

for (const [name, rule, mistake] of [...ofPlants, ...taken, ...ofApps])
  test(`a store that ${name} breaks ${rule} and nothing else`, async () => {
    const store = new Store()
    const report = await verifyStore(Object.assign(store, mistake(store)))
    expect(brokenOf(report)).toEqual([rule])
    // Objects that it could not delete are reported, by name or id.
    expect(report.left).toHaveLength(store.plants.filter((plant) => !store.isGone(plant)).length)
  })
