import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const invalid: [body: unknown, about: RegExp][] = [
  [{}, /^name /],
  [{ name: null }, /^name /],
  [{ name: '' }, /^name /],
  [{ name: 1 }, /^name /],
  [{ name: ['x'] }, /^name /],
  [{ display_name: 'no name' }, /^name /],
  [{ name: 'x', display_name: 1 }, /^display_name /],
  [{ name: 'x', description: [] }, /^description /],
  [{ name: 'x', model: {} }, /^model /],
  [{ name: 'x', system_prompt: true }, /^system_prompt /],
  [{ name: 'x', welcome_message: 0 }, /^welcome_message /],
  [{ name: 'x', login_required: 'true' }, /^login_required /],
  [{ name: 'x', login_required: null }, /^login_required /],
  [{ name: 'x', login_required: 1 }, /^login_required /],
  ['{"name":12345678901234567890}', /^name /],
  ['{"__proto__":{"name":"inherited"}}', /^name /],
  ['[]', /object/],
  ['null', /object/],
  ['"name"', /object/],
]

testApi(
  'a body that is no new app is answered with 400 that names the field, and makes nothing',
  async ({ call, world }) => {
    const before = world.records.apps.count()
    for (const [body, about] of invalid) {
      const { status, body: answer } = await call('POST', '/v1/apps', { body })
      expect(status, JSON.stringify(body)).toBe(400)
      expect(answer.error.code).toBe('invalid_request')
      expect(answer.error.message).toMatch(about)
    }
    expect(world.records.apps.count()).toBe(before)
  },
)
