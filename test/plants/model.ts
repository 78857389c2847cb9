import type * as fc from 'fast-check'
import { expect } from 'vitest'
import type { Client } from '../support/test-api.ts'

/** The model of a correct service: plants by id, oldest first. */
export type Model = Map<string, { name: string; owner: string }>

/** The service under test, spoken to through its API alone. */
export type Call = Client['call']

type Command = fc.AsyncCommand<Model, Call>

/** Creates a plant; succeeds if the id is free. */
export const create = (key: string, id: string, name: string): Command => ({
  check: () => true,
  async run(model, call) {
    const taken = model.has(id)
    const { status, body } = await call('POST', '/plants', { key, body: `{"id":${id},"name":${JSON.stringify(name)}}` })
    expect(status).toBe(taken ? 400 : 200)
    if (taken) return
    expect(body).toEqual({ name })
    model.set(id, { name, owner: key })
  },
  toString: () => `create ${id} by ${key}`,
})

/** Lists the caller's plants, at most so many. */
export const list = (key: string, limit: number | undefined): Command => ({
  check: () => true,
  async run(model, call) {
    const { status, body } = await call('GET', limit === undefined ? '/plants' : `/plants?limit=${limit}`, { key })
    expect(status).toBe(200)
    const owned = [...model.values()].filter(({ owner }) => owner === key)
    expect(body).toEqual(owned.slice(0, limit).map(({ name }) => ({ name })))
  },
  toString: () => `list ${limit ?? 'all'} by ${key}`,
})

/** Deletes a plant; succeeds when it is the caller's. */
export const remove = (key: string, id: string): Command => ({
  check: () => true,
  async run(model, call) {
    const own = model.get(id)?.owner === key
    expect((await call('DELETE', `/plants/${id}`, { key })).status).toBe(own ? 204 : 404)
    if (own) model.delete(id)
  },
  toString: () => `delete ${id} by ${key}`,
})
