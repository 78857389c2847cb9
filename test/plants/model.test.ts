import * as fc from 'fast-check'
import { test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { createCaller } from '../support/test-api.ts'
import { create, list, remove, type Call, type Model } from './model.ts'
import { times } from '../support/soak.ts'

const seed = 20_260_301
const fixtures = {
  accounts: ['a', 'b'].map((name) => ({ id: `acct_${name}`, name, email: `${name}@example.com`, plan: 'pro' })),
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

test(`whatever two accounts create, list and delete, answers match a plain map (seed ${seed})`, () =>
  fc.assert(
    fc.asyncProperty(commands, async (history) => {
      const greenhouse = createGreenhouse({ fixtures })
      const call = createCaller((path, init) => greenhouse.fetch(new Request('http://greenhouse.test' + path, init)))
      await fc.asyncModelRun(() => ({ model: new Map() as Model, real: call as Call }), history)
    }),
    { seed, numRuns: times(200, 40) },
  ))
