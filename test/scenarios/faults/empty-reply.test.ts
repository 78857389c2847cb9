import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { drain, openSocket, toRequest } from '../../support/socket.ts'
import { faulty } from './among.ts'

test('the connection closes cleanly without a byte, even if the client asked to keep it alive', async () => {
  const greenhouse = createGreenhouse(faulty({ kind: 'empty-reply' }))
  greenhouse.world().use('it')
  await using server = await serve(greenhouse)
  for (const headers of [[], ['Connection: keep-alive']]) {
    const socket = await openSocket(server.port)
    let failed: unknown
    socket.on('error', (error) => (failed = error))
    socket.write(toRequest('GET /plants', headers))
    expect(await drain(socket)).toBe('')
    expect(failed).toBeUndefined()
  }
})
