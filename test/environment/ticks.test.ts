import { expect, onTestFinished, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'

test('a server refuses to start while process.nextTick is faked', async () => {
  const { nextTick } = process
  onTestFinished(() => void (process.nextTick = nextTick))
  // Fakes it like Sinon and Vitest.
  process.nextTick = Object.assign(() => undefined, { clock: {} }) as never
  await expect(serve(createGreenhouse())).rejects.toThrow(
    /^Failed to listen on 127\.0\.0\.1:0: process\.nextTick is faked.*Leave 'nextTick' and 'queueMicrotask' out of `toFake`; Sinon needs useFakeTimers\(\{ toNotFake: \[/s,
  )
})
