const express = require('express')
const { toPlants } = require('./plants.cjs')
const { sendThree } = require('./send-three.cjs')

const { test, beforeEach, beforeAll, before, afterAll, after } = globalThis.beforeAll
  ? globalThis
  : require('node:test')

let plants
const app = express()
app.use(express.json())
app.get('/plants', (_, response) => response.json(plants))
app.post('/plants', ({ body }, response) => {
  plants.push(body)
  response.json(body)
})
let server
let base
;(beforeAll ?? before)(async () => {
  server = await new Promise((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
  })
  base = `http://127.0.0.1:${server.address().port}`
})
beforeEach(() => void (plants = toPlants()))
;(afterAll ?? after)(() => new Promise((resolve) => server.close(() => resolve())))

for (let number = 1; number <= 100; number++) test(`test ${number}`, () => sendThree(base))
