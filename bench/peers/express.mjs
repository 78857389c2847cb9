import { readFileSync } from 'node:fs'
import express from 'express'

const plants = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const app = express()
app.get('/plants', (_, response) => response.json(plants))
const server = app.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })))
