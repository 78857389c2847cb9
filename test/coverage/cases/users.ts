import { waysOf } from '../refusals.ts'
import { sound, type Cases } from '../ways.ts'

export const users: Cases = {
  ...waysOf('users.list', { 200: [sound('users.list')] }),
  ...waysOf('users.get', { 200: [sound('users.get')] }),
}
