// Fakes timers before Greenhouse is loaded.
import { exercise, expected } from './exercise.mjs'
import { fake, unfake, test, equal, hasReal, hidesRealTimers } from './runner.mjs'

const load = async () => ({
  ...(await import('greenhouse-mock')),
  ...(await import('greenhouse-mock/server')),
})

test('with timers faked before the package is loaded', async () => {
  fake()
  equal(hasReal(), false)
  const entries = await load()
  if (hidesRealTimers) {
    const message = await Promise.resolve()
      .then(() => entries.createGreenhouse())
      .then(String, (error) => error.message)
    equal(
      /timers were faked before it was loaded.*Import it at the top of the file/.test(message),
      true,
    )
  } else equal(await exercise(entries), expected)
  unfake()
})

if (!hidesRealTimers)
  test('in the next test, with real ones', async () => {
    equal(hasReal(), true)
    equal(await exercise(await load()), expected)
  })
