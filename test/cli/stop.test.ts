import { expect, test, onTestFinished } from 'vitest'
import { isAlive, startServeProcess, firstLine, startProcess } from '../support/process.ts'

const signals = ['SIGINT', 'SIGTERM'] as const

test.each(signals)('%s stops the server with exit code 0', async (signal) => {
  const { stop, child, ready } = await startServeProcess()
  expect(await stop(signal)).toMatchObject({ code: 0, signal: null, stderr: '' })
  expect(isAlive(child.pid!)).toBe(false)
  await expect(fetch(ready.plants_url)).rejects.toThrow()
})

test.skipIf(process.platform === 'win32').each(signals)('npm start stops all its processes on %s', async (signal) => {
  // The build that comes before it would take dist/ away from the other tests.
  const words = ['start', '--ignore-scripts', '--', '--port', '0', '--log', 'json']
  const { child, output, ended } = startProcess('npm', words, { detached: true })
  const group = -child.pid!
  onTestFinished(() => void (isAlive(group) && process.kill(group, 'SIGKILL')))
  const { plants_url } = JSON.parse(await firstLine(child, output, ended))
  expect((await fetch(plants_url + '/plants')).status).toBe(401)
  child.kill(signal)
  expect(await ended).toMatchObject({ code: 0, signal: null })
  await expect(fetch(plants_url)).rejects.toThrow()
  await expect.poll(() => isAlive(group)).toBe(false)
})
