import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { openApp } from './chat.ts'

testApi('the plus of an offset in a time may be sent as it is', async ({ call }) => {
  const path = `/v1/apps/${openApp}/conversations`
  const { id } = (await call('POST', path, { body: {} })).body
  const list = async (from: string) => {
    const { data } = (await call('GET', `${path}?from=${from}`)).body
    return data.some((one: { id: string }) => one.id === id)
  }
  expect(await list('2026-03-01T14:00:30+02:00')).toBe(true)
  expect(await list('2026-03-01T14:00:31+02:00')).toBe(false)
})
