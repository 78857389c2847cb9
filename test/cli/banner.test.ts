import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { start } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

async function readBanner(args: string[] = []): Promise<string> {
  const { output, untilPrinted } = start(['serve', '--port', '0', ...args])
  await untilPrinted(/Try[^]*\/apps\n/)
  return output.stdout
}

const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version'])
    return true
  } catch {
    return false
  }
})()

test.runIf(hasCurl)('the curl lines of the banner work when they are pasted into a shell', async () => {
  const lines = (await readBanner()).split('\n').filter((line) => line.trim().startsWith('curl '))
  expect(lines).toHaveLength(2)
  const paste = async (line: string) => JSON.parse((await promisify(execFile)('sh', ['-c', line])).stdout)
  const [plants, apps] = await Promise.all(lines.map(paste))
  expect(plants).toEqual([{ name: expect.any(String), tag: expect.any(String) }, expect.anything(), expect.anything()])
  expect(apps.data.length).toBeGreaterThan(0)
})

test('the banner shows the base URLs, the keys with their plans, and the scenarios', async () => {
  const banner = await readBanner(['--scenario', 'rate-limited-plan:plan=free', '--scenario', 'malformed-plant'])
  const url = /Plants +(http:\/\/127\.0\.0\.1:\d+)\n/.exec(banner)![1]!
  expect(banner).toMatch(new RegExp(`Apps +${url}/v1\n`))
  for (const [key, plan] of [
    ['key_free', 'free'],
    ['key_pro_plus', 'pro_plus'],
    ['key_expired', 'pro, expires 2020'],
    ['key_revoked', 'pro, revoked'],
    ['key_readonly', 'pro, apps:read'],
  ])
    expect(banner).toMatch(new RegExp(`${key} +${plan}`))
  expect(banner).toContain('Scenarios: rate-limited-plan, malformed-plant\n')
})

test.each([
  ['a world without keys', ''],
  ['a world whose keys are no plain words', 'keys: [{ secret: Str0ngSecret, account: acct }]\n'],
])('the banner of %s says where one would stand', async (_, keys) => {
  const folder = writeFolder({
    'accounts.yaml': `accounts:\n  - { id: acct, name: A, email: a@example.com, plan: pro }\n${keys}`,
  })
  const banner = await readBanner(['--fixtures', folder])
  expect(banner).toContain("'Authorization: Bearer <key>'")
  expect(banner).not.toContain('Str0ng')
})
