// Does the same, and copes with every answer that the reference allows.
import { strict as assert } from 'node:assert'
import { apps, plants, send } from './wire.mjs'

const made = await send('POST', plants, { id: 987_654, name: 'Ficus' })
assert.equal(made.body.name, 'Ficus')
assert.ok((await send('DELETE', `${plants}/987654`)).status < 300)
const again = await send('DELETE', `${plants}/987654`)
assert.ok(again.status < 500)

const list = await send('GET', apps)
const items = Array.isArray(list.body) ? list.body : list.body.data
assert.ok(items.every(({ name }) => typeof name === 'string'))
assert.ok(Number(list.headers.get('x-ratelimit-remaining')) >= 0)
console.log('all is well')
