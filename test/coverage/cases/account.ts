import { waysOf } from '../refusals.ts'
import { sound, type Cases } from '../ways.ts'

export const account: Cases = waysOf('account.get', { 200: [sound('account.get')] })
