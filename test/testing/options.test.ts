import { setupServer } from 'msw/node'
import { expect, test } from 'vitest'
import { createTest, type TestOptions } from 'greenhouse-mock/vitest'

test.each([
  [{ srever: setupServer() }, /there is no option "srever", only .*Did you mean "server"\?/],
  [{ strict: { worlds: true } }, /there is no option "strict\.worlds", only .*Did you mean "strict\.world"\?/],
  [{ strict: { world: 1 } }, /the option "strict\.world" takes true or false; 1 was given/],
  [{ strict: 'yes' }, /the option "strict" takes true, false, or an object of checks \(world, operation, contract\)/],
  [{ server: {} }, /the option "server" takes what setupServer\(\) of "msw\/node" returned/],
  [{ server: [] }, /the option "server" takes what setupServer\(\) of "msw\/node" returned/],
  [{ plants: '/plants' }, /the option "plants" takes an absolute URL/],
])('%j is refused, and the message says what there is', (options, message) => {
  expect(() => createTest(options as TestOptions)).toThrow(message)
})

test('what is right is accepted', () => {
  expect(createTest({ server: setupServer(), strict: { contract: false }, seed: 2 })).toBeTypeOf('function')
  expect(createTest({ strict: false, server: undefined } as TestOptions)).toBeTypeOf('function')
})
