// Depends on three unstated behaviours: the status of a second deletion, the shape of a list, the
// unit of a reset.
import { strict as assert } from 'node:assert'
import { apps, plants, send } from './wire.mjs'

await send('POST', plants, { id: 987_654, name: 'Ficus' })
await send('DELETE', `${plants}/987654`)
const again = await send('DELETE', `${plants}/987654`)
assert.equal(again.status, 404, `deleted twice: expected 404, got ${again.status}`)

const list = await send('GET', apps)
const names = list.body.data.map(({ name }) => name)
assert.ok(names.length > 0)

const reset = new Date(Number(list.headers.get('x-ratelimit-reset')) * 1_000)
assert.ok(Math.abs(reset - Date.now()) < 86_400_000, `the limit is reset at ${reset.getTime()}`)
console.log('all is well')
