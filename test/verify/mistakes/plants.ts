import { parse } from '../store.ts'
import { creating, listing, plant, replies, type Mistakes } from './how.ts'
import type { Read } from '../store.ts'

const isList = ({ method, path }: Read) => method === 'GET' && path === '/plants'

/** Mistakes of a plant store. */
export const plantMistakes: Mistakes = {
  'lists plants without a key': [
    'plants.list.auth.missing',
    plant((read, store) => (isList(read) && read.authorization === undefined ? store.json(200, []) : undefined)),
  ],
  'lists plants for an unknown key': [
    'plants.list.auth.invalid',
    plant((read, store) =>
      isList(read) && read.authorization?.startsWith('Bearer greenhouse') ? store.json(200, []) : undefined,
    ),
  ],
  'lists plants for an expired key': [
    'plants.list.auth.expired',
    plant((read, store) => (isList(read) && read.authorization === 'Bearer expired' ? store.json(200, []) : undefined)),
  ],
  'lists plants for a key after "Basic"': [
    'plants.list.auth.scheme',
    plant((read, store) =>
      isList(read) && read.authorization === 'Basic own' ? store.list('own', read.query) : undefined,
    ),
  ],
  'creates plants without a key': [
    'plants.create.auth',
    plant((read, store) =>
      read.method === 'POST' && read.authorization === undefined ? store.create('own', read.text) : undefined,
    ),
  ],
  'refuses a wrong key, and creates the plant': [
    'plants.create.auth',
    plant((read, store) => {
      if (read.method === 'POST' && read.owner === undefined) store.create('own', read.text)
      return undefined
    }),
  ],
  'refuses to delete without a key, and deletes': [
    'plants.delete.auth',
    plant((read, store) => {
      if (read.method === 'DELETE' && read.owner === undefined) store.remove('own', read.path.split('/').at(-1)!)
      return undefined
    }),
  ],
  'lists plants in an object': ['plants.list.reply', listing((plants, { show }) => ({ data: plants.map(show) }))],
  'lists a tag of null': [
    'plants.list.reply',
    listing((plants) => plants.map(({ name, tag = null }) => ({ name, tag }))),
  ],
  'lists names as title': ['plants.list.reply', listing((plants) => plants.map(({ name }) => ({ title: name })))],
  'lists one plant more than the limit': [
    'plants.list.limit',
    plant((read, store) => {
      const limit = read.query.get('limit')
      return isList(read) && read.owner && limit !== null && Number(limit) > 1 && Number(limit) < 2 ** 31 - 1
        ? store.list(read.owner, new URLSearchParams({ limit: String(Number(limit) + 1) }))
        : undefined
    }),
  ],
  "lists everybody's plants": [
    'plants.list.own',
    (store) => ({
      seenBy: () => store.plants.filter((plant) => !store.isGone(plant)),
    }),
  ],
  'answers a creation with 201': ['plants.create.status', creating((reply) => ({ ...reply, status: 201 }))],
  'answers a creation without the tag': [
    'plants.create.reply',
    creating((reply, store) => store.json(200, { name: parse(reply.text)!['name'] })),
  ],
  'answers a creation with a list': [
    'plants.create.reply',
    creating((reply, store) => store.json(200, [parse(reply.text)])),
  ],
  'answers a creation with nothing': ['plants.create.reply', creating((reply) => ({ ...reply, text: '' }))],
  'answers a creation with a tag of null': [
    'plants.create.tag-optional',
    creating((reply, store) => store.json(200, { tag: null, ...parse(reply.text) })),
  ],
  'wants a tag': [
    'plants.create.tag-optional',
    (store) => {
      const own = store.read.bind(store)
      return {
        read(text) {
          const sent = own(text)
          return sent?.tag === undefined ? undefined : sent
        },
      }
    },
  ],
  'never lists what was created': ['plants.create.listed', () => ({ seenBy: () => [] })],
  'loses what is no ASCII in a name': [
    'plants.create.unicode',
    (store) => {
      const own = store.read.bind(store)
      return {
        read(text) {
          const sent = own(text)
          return sent && { ...sent, name: sent.name.replace(/[^\x20-\x7e]/g, '?') }
        },
      }
    },
  ],
  'lists names in another encoding': [
    'plants.create.unicode',
    (store) => ({
      list: (owner) =>
        store.json(
          200,
          store
            .seenBy(owner)
            .map(({ name, ...rest }) => store.show({ ...rest, name: Buffer.from(name, 'utf8').toString('latin1') })),
        ),
    }),
  ],
  'keeps ids as doubles': [
    'plants.create.int64',
    (store) => {
      const own = store.keep.bind(store)
      return {
        keep(owner, sent) {
          const id = BigInt(Number(sent.id))
          store.plants = store.plants.filter((plant) => plant.id !== id || store.isGone(plant))
          own(owner, { ...sent, id })
        },
        isMeant: (plant, id) => /^-?\d+$/.test(id) && plant.id === BigInt(Number(id)),
      }
    },
  ],
  'finds plants by ids as doubles': [
    'plants.delete.int64',
    () => ({ isMeant: (plant, id) => Number(plant.id) === Number(id) }),
  ],
  'keeps what it deletes': [
    'plants.delete.gone',
    (store) => {
      let count = 0
      const own = store.remove.bind(store)
      return { remove: (owner, id) => (++count === 1 ? { status: 204, headers: {}, text: '' } : own(owner, id)) }
    },
  ],
  'deletes all plants of a caller': [
    'plants.delete.single',
    (store) => {
      const own = store.remove.bind(store)
      return {
        remove(owner, id) {
          const reply = own(owner, id)
          if (reply.status === 204)
            for (const plant of store.plants) if (plant.owner === owner && !store.isGone(plant)) plant.until = store.now
          return reply.status === 404 ? { status: 204, headers: {}, text: '' } : reply
        },
      }
    },
  ],
  'answers a deletion with a body': [
    'plants.delete.no-body',
    (store) => {
      const own = store.remove.bind(store)
      return { remove: (owner, id) => (own(owner, id).status === 204 ? store.json(200, {}) : store.refuse(404)) }
    },
  ],
  "deletes everybody's plants": [
    'plants.delete.own',
    (store) => {
      const own = store.remove.bind(store)
      return {
        remove(_, id) {
          const reply = own('own', id)
          return reply.status === 404 ? own('other', id) : reply
        },
      }
    },
  ],
  'tells errors of plants as those of apps': [
    'plants.errors.body',
    (store) => ({ refuse: (status) => store.refuseApp(status, 'bad') }),
  ],
  'leaves the message of an error of plants out': [
    'plants.errors.body',
    (store) => ({ refuse: (status) => store.json(status, { error: status }) }),
  ],
  'sends plants as text/html': [
    'plants.json',
    replies('plants', (reply) => ({ ...reply, headers: { 'content-type': 'text/html; charset=utf-8' } })),
  ],
}
