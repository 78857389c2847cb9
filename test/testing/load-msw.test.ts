import { expect, test } from 'vitest'
import { loadWithMsw } from '../../src/testing/share-interception.ts'

const failing = (error: object) => loadWithMsw(() => Promise.reject(error))

test("where a test runner can't load msw, the error says what to do", async () => {
  const missing = Object.assign(new Error("Cannot find package 'msw' imported from x.js"), {
    code: 'ERR_MODULE_NOT_FOUND',
  })
  await expect(failing(missing)).rejects.toMatchObject({
    message: 'Failed to load msw, which answers at the base URLs: install it with npm i -D msw.',
    cause: missing,
  })
  for (const ofJest of [
    new SyntaxError("Unexpected token 'export'"),
    // From another realm.
    { name: 'Error', message: 'Must use import to load ES Module: node_modules/rettime/build/index.mjs' },
  ])
    await expect(failing(ofJest)).rejects.toThrow(
      "const { withGreenhouse } = require('greenhouse-mock/jest'); module.exports = withGreenhouse({",
    )
})

test('what else goes wrong as it is loaded stays as it is', async () => {
  const other = Object.assign(new Error("Cannot find package 'graphql' imported from x.js"), {
    code: 'ERR_MODULE_NOT_FOUND',
  })
  await expect(failing(other)).rejects.toBe(other)
  await expect(failing(new TypeError('x'))).rejects.toThrow(new TypeError('x'))
})
