// Sinon's fake timers have no runner: node:test runs the files. Node itself waits for the two functions that stay real.
import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { install } from '@sinonjs/fake-timers'

export { test }
export const hidesRealTimers = false
let clock
const real = globalThis.setTimeout
export const fake = () => (clock = install({ now: 0, toNotFake: ['nextTick', 'queueMicrotask'] }))
export const unfake = () => {
  clock?.uninstall()
  clock = undefined
}
export const hasReal = () => globalThis.setTimeout === real
export const equal = deepEqual
