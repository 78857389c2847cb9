// Timers are faked after Greenhouse was loaded, as a file's imports stand at its top.
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { exercise, expected } from '../exercise.mjs'
import { fake, unfake, test, equal, hasReal } from '../runner.mjs'

test('with timers faked', async () => {
  fake()
  equal(hasReal(), false)
  equal(await exercise({ createGreenhouse, serve }), expected)
})

test('in the next test, with real ones', async () => {
  unfake()
  equal(hasReal(), true)
  equal(await exercise({ createGreenhouse, serve }), expected)
})

test('and faked again', async () => {
  fake()
  equal(await exercise({ createGreenhouse, serve }), expected)
  unfake()
})
