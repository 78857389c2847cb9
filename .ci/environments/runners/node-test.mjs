import { deepEqual } from 'node:assert/strict'
import { mock, test } from 'node:test'

export { test }
export const hidesRealTimers = true
const real = globalThis.setTimeout
export const fake = () => mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'] })
export const unfake = () => mock.timers.reset()
export const hasReal = () => globalThis.setTimeout === real
export const equal = deepEqual
