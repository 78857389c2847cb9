import type { Answered } from '../../../src/contract/verify/wire.ts'
import type { Kept, Read, Store } from '../store.ts'

/** A mistake of a store: methods that replace its own. */
export type Mistake = (store: Store) => Partial<Store>

/** Accepts invalid bodies as plants. */
export const takes =
  (read: (text: string) => Pick<Kept, 'id' | 'name' | 'tag'> | undefined): Mistake =>
  (store) => {
    const own = store.read.bind(store)
    return { read: (text) => own(text) ?? read(text) }
  }

/** Answers some requests of plants differently. */
export const plant =
  (answer: (read: Read, store: Store) => Answered | undefined): Mistake =>
  (store) => {
    const own = store.plant.bind(store)
    return { plant: (read) => answer(read, store) ?? own(read) }
  }

/** Answers some requests of apps differently. */
export const app =
  (answer: (read: Read, store: Store) => Answered | undefined): Mistake =>
  (store) => {
    const own = store.app.bind(store)
    return { app: (read) => answer(read, store) ?? own(read) }
  }

/** Changes every reply of an area. */
export const replies =
  (area: 'plants' | 'apps', change: (reply: Answered, read: Read) => Answered): Mistake =>
  (store) => {
    const method = area === 'plants' ? 'plant' : 'counted'
    const own = store[method].bind(store) as (...args: unknown[]) => Answered
    return { [method]: (read: Read, ...more: unknown[]) => change(own(read, ...more), read) }
  }

export const header = (name: string, to: (value: string, read: Read) => string | undefined): Mistake =>
  replies('apps', (reply, read) => {
    const { [name]: value, ...headers } = reply.headers
    const changed = to(value!, read)
    return { ...reply, headers: changed === undefined ? headers : { ...headers, [name]: changed } }
  })

/** Shows the plants of its list in another way than those that it creates. */
export const listing =
  (change: (plants: readonly Kept[], store: Store) => unknown): Mistake =>
  (store) => ({ list: (owner) => store.json(200, change(store.seenBy(owner), store)) })

/** Answers a creation differently. */
export const creating =
  (change: (reply: Answered, store: Store) => Answered): Mistake =>
  (store) => {
    const own = store.create.bind(store)
    return {
      create(owner, text) {
        const reply = own(owner, text)
        return reply.status === 200 ? change(reply, store) : reply
      },
    }
  }

/** Mistakes by what a store does, each with the one rule that it breaks. */
export type Mistakes = Readonly<Record<string, readonly [rule: string, mistake: Mistake]>>
