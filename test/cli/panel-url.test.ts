import { expect, test } from 'vitest'
import { start, startServe } from '../support/cli.ts'

/** Returns the output of `serve` before the first request. */
async function readBanner(args: string[] = []): Promise<string> {
  const { output, untilPrinted } = start(['serve', '--port', '0', ...args])
  await untilPrinted(/Try[^]*\/apps\n/)
  return output.stdout
}

test('the first line that serve prints is the URL of the panel, aligned with the base URLs', async () => {
  const [panel, plants, apps] = (await readBanner()).split('\n')
  const [, url] = /^ {2}Plants {2}(http:\/\/127\.0\.0\.1:\d+)$/.exec(plants!)!
  expect([panel, apps]).toEqual([`  Panel   ${url}/__greenhouse/`, `  Apps    ${url}/v1`])
})

test('the ready line has it as panel_url', async () => {
  const { ready } = await startServe()
  expect(ready.panel_url).toBe(`${ready.plants_url}/__greenhouse/`)
})

test("of a server that listens on every address it is this machine's", async () => {
  const { ready } = await startServe(['--host', '0.0.0.0', '--token', 'secret'])
  expect(ready.panel_url).toBe(`http://127.0.0.1:${new URL(ready.plants_url).port}/__greenhouse/`)
})
