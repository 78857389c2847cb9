import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { times } from '../support/soak.ts'
import { type Client, open } from '../support/test-api.ts'

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
    const { status, body } = await call('POST', '/plants', {
      key,
      body: `{"id":${id},"name":${JSON.stringify(name)}}`,
    })
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
    const { status, body } = await call(
      'GET',
      limit === undefined ? '/plants' : `/plants?limit=${limit}`,
      { key },
    )
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

const seed = 20_260_301
const fixtures = {
  accounts: ['a', 'b'].map((name) => ({
    id: `acct_${name}`,
    name,
    email: `${name}@example.com`,
    plan: 'pro',
  })),
  keys: ['a', 'b'].map((name) => ({ secret: `key_${name}`, account: `acct_${name}` })),
  plants: [],
}

const key = fc.constantFrom('key_a', 'key_b')
const id = fc.constantFrom(
  '0',
  '-1',
  '7',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775806',
  '9223372036854775807',
  '-9223372036854775807',
  '-9223372036854775808',
)
const commands = fc.commands(
  [
    fc.tuple(key, id, fc.string({ maxLength: 3 })).map((plant) => create(...plant)),
    fc.tuple(key, id).map((plant) => remove(...plant)),
    fc.tuple(key, fc.option(fc.nat(6), { nil: undefined })).map((page) => list(...page)),
  ],
  { maxCommands: 40, size: 'max' },
)

test(`creates, lists and deletes of two accounts match a plain map (seed ${seed})`, () =>
  fc.assert(
    fc.asyncProperty(commands, async (history) => {
      await fc.asyncModelRun(
        () => ({ model: new Map() as Model, real: open({ fixtures }).call as Call }),
        history,
      )
    }),
    { seed, numRuns: times(200, 15) },
  ))
