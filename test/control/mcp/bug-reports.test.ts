import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { connectOverHttp } from '../../support/mcp.ts'

/** What people write in bug reports, and a scenario that is among what an agent then finds. */
const reports = `
the app says I am offline -> network-error
TypeError: Failed to fetch -> network-error
blocked by CORS policy -> network-error
the page is empty -> empty-store
blank page after login -> empty-body
the spinner never stops -> timeout
loading forever -> timeout
the request hangs -> timeout
streaming stops in the middle -> stream-stalls
the answer of the chat is cut off -> stream-breaks
chat stops typing -> stream-stalls
logged out after ten minutes -> expired-key
session expired -> expired-key
unauthorized although I have a key -> revoked-key
permission denied -> missing-scope
access forbidden for my key -> missing-scope
too many requests -> rate-limited-plan
we are throttled -> rate-limited-plan
the limit of the day is used up -> rate-limited-day
charged twice -> first-write-lost
duplicate app created after a retry -> first-write-lost
payment was declined -> purchase-declined
my card was refused -> purchase-declined
subscription was not renewed -> renewal-fails
internal server error -> server-error
it fails every now and then -> random-failures
works after the second try -> flaky
the service is down for maintenance -> maintenance
bad gateway with an HTML page -> proxy-error-page
Unexpected token < in JSON -> proxy-error-page
Unexpected end of JSON input -> truncated-json
invalid JSON -> truncated-json
socket hang up -> connection-reset
ECONNRESET -> connection-reset
connection closed by the server -> empty-reply
the app is slow -> slow
sometimes it takes ages -> long-tail
pagination shows the same plants twice -> rate-limit-mid-pagination
the list stops after page two -> rate-limit-mid-pagination
item was deleted but is still shown -> not-found
cannot read properties of null -> malformed-plant
undefined is not a function in the list -> malformed-plant
the webhook arrived twice -> webhook-duplicate
we never got the webhook -> webhook-lost
events come in the wrong order -> webhook-out-of-order
the signature of the webhook is invalid -> webhook-bad-signature
the table with thousands of plants freezes -> huge-store
`
  .trim()
  .split('\n')
  .map((line) => line.split(' -> ') as [string, string])

test('an agent finds a scenario by the words of a bug report', async () => {
  await using server = await serve(createGreenhouse())
  const { use } = await connectOverHttp(server.url)
  const missed: string[] = []
  for (const [search, name] of reports) {
    const { data } = await use('list_scenarios', { search })
    const found = data.slice(0, 8).map((one: { name: string }) => one.name)
    if (!found.includes(name)) missed.push(`${search}: ${name} is not in ${found.join(', ')}`)
  }
  expect(missed).toEqual([])
})
