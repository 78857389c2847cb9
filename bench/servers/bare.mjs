import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'

/**
 * The least that Node's own server can do: always the reply that the given file holds, and no look
 * at the request except, with `--read-body`, to read it and parse it as JSON.
 */
const [file, flag] = process.argv.slice(2)
const { headers, body, ownDate } = JSON.parse(readFileSync(file, 'utf8'))

const answer = (response) => {
  response.sendDate = !ownDate
  response.writeHead(200, headers).end(body)
}

const readAndAnswer = (request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString())
    answer(response)
  })
}

const server = createServer(
  flag === '--read-body' ? readAndAnswer : (_, response) => answer(response),
)
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })))
