// Fakes timers after Greenhouse was loaded, which is the case for imports at the top of a file.
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { exercise, expected } from './exercise.mjs'
import { fake, unfake, test, equal, hasReal } from './runner.mjs'

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
