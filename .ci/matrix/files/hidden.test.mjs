// Jest's own "jsdom" hides globals that Greenhouse needs: the error recommends an environment that
// has them.
import { createGreenhouse } from 'greenhouse-mock'
import { equal, test } from './runner.mjs'

test('what is missing is named, and the environment that has it', () => {
  let message = ''
  try {
    createGreenhouse()
  } catch (error) {
    message = error.message
  }
  equal(/there is no TextDecoder, no TextEncoder here\..*jest-fixed-jsdom/.test(message), true)
})
