import { expect, onTestFinished, test } from 'vitest'
import { firstLine, isAlive, startProcess } from '../support/process.ts'

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test.skipIf(process.platform === 'win32')(`npm start stops on ${signal} and leaves no process behind`, async () => {
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
