import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'
import { startCommand } from '../support/process.ts'

test('a log that is not read for a while goes on where it was, each request once and in order', async () => {
  const { ready, call } = await startServe()
  const log = startCommand(['log', '--follow', '--server', ready.plants_url])
  await call('/plants?tag=n0')
  while (!log.output.stdout.includes('n0')) await once(log.child.stdout!, 'data')
  log.child.stdout!.pause()
  // The journal holds 1,000 of them. It is more than the pipe, the stream and what the server keeps
  // for those who come back hold together.
  const count = 1_200
  for (let next = 1; next <= count; next += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, place) =>
        fetch(`${ready.plants_url}/plants?tag=n${next + place}&filler=${'x'.repeat(6_000)}`).then(
          (reply) => reply.text(),
        ),
      ),
    )
  log.child.stdout!.resume()
  await call('/plants?tag=last')
  const isOver = log.ended.then(() => true)
  while (!log.output.stdout.includes('tag=last'))
    if (await Promise.race([once(log.child.stdout!, 'data').then(() => false), isOver])) break
  const numbers = [...log.output.stdout.matchAll(/tag=n(\d+)/g)].map(([, number]) => Number(number))
  expect(new Set(numbers).size).toBe(numbers.length)
  const newest = Array.from({ length: 900 }, (_, place) => count - place)
  expect(newest.filter((number) => !numbers.includes(number))).toEqual([])
  log.child.kill('SIGINT')
  expect(await log.ended).toMatchObject({ code: 0, stderr: '' })
})
