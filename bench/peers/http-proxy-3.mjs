import { Agent } from 'node:http'
import { createProxyServer, createServer } from 'http-proxy-3'

const options = { target: process.argv[2], agent: new Agent({ keepAlive: true }) }
const create = createProxyServer ?? createServer
const server = create(options)
server.listen(Number(process.argv[3]), '127.0.0.1')
