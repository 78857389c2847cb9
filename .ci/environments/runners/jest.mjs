import { expect, jest, test } from '@jest/globals'

export { test }
export const hidesRealTimers = false
const real = globalThis.setTimeout
export const fake = () => jest.useFakeTimers({ now: 0 })
export const unfake = () => jest.useRealTimers()
export const hasReal = () => globalThis.setTimeout === real
// In some environments, the package's objects come from another realm than Jest's matchers.
export const equal = (one, other) => expect(JSON.parse(JSON.stringify(one))).toEqual(other)
