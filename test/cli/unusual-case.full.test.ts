import { readdirSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toCaseText } from 'greenhouse-mock'
import { run } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

const bad = 'x\'"\n ::error::\u2028##[error] */ </script>`${1}'

const unusual: [what: string, use: object, reply: object][] = [
  ['a reply that never comes', { use: ['connection-reset'] }, { status: 0 }],
  ['a cut body', { use: ['truncated-body'] }, { status: 200, text: '[{"name":"Lavandula angus' }],
  [
    'a repeated header',
    { use: ['duplicated-headers'] },
    { status: 200, headers: { 'content-type': ['application/json', 'application/json'] } },
  ],
  [
    '64-bit ids',
    { use: [toOwn({ id: 2n ** 53n + 1n })] },
    { status: 200, body: { id: 2n ** 53n + 1n } },
  ],
  [
    'a secret',
    { use: [toOwn({ token: 'abcdefgh' })] },
    { status: 200, body: { token: 'fp_0123456789ab' } },
  ],
  [
    "anybody's texts",
    { use: [toOwn({ toJSON: bad })] },
    { status: 200, text: JSON.stringify({ toJSON: bad }) },
  ],
]

test('the tests of unusual replies pass as they are, and run nothing of the case', async () => {
  const folder = writeFolder({})
  const [right, wrong]: [string[], string[]] = [[], []]
  for (const [index, [what, use, reply]] of unusual.entries()) {
    const request = {
      request: `GET /plants`,
      headers: { authorization: 'Bearer key_pro', 'x-note': bad.replace(/\s/g, '') },
    }
    const given = {
      case: 1,
      title: `\u3000::error::${bad}`,
      world: 'w',
      steps: [use, { ...request, reply, reason: bad, mistakes: [bad] }],
    }
    const file = join(folder, `${index}.case.yaml`)
    writeFileSync(file, toCaseText(given as never))
    const { stdout } = await run(['case', 'test', file, '--runner', 'node'])
    const code = stdout.replaceAll(/'greenhouse-mock(?:\/(\w+))?'/g, (_, name = 'index') =>
      JSON.stringify(new URL(`../../dist/${name}.js`, import.meta.url).href),
    )
    for (const [list, text] of [
      [right, code],
      [wrong, code.replace('status, 200', 'status, 201').replace('rejects', 'doesNotReject')],
    ] as const)
      writeFileSync(`${file}.${list.push(text)}${list === right ? '' : '.wrong'}.mjs`, text)
    const shown = await Promise.all(
      [['show'], ['replay'], ['test']].map(([word]) => run(['case', word!, file])),
    )
    for (const { stdout, stderr } of shown)
      expect(stdout + stderr, what).not.toMatch(/^\s*::|##\[|\u2028/m)
  }
  const files = readdirSync(folder).filter((name) => name.endsWith('.mjs'))
  const resultsOf = (isWrong: boolean) => {
    const imports = files
      .filter((name) => name.endsWith('.wrong.mjs') === isWrong)
      .map((name) => `import './${name}'\n`)
    writeFileSync(join(folder, 'all.mjs'), imports.join(''))
    const words = ['--test-reporter=tap', join(folder, 'all.mjs')]
    const { NODE_OPTIONS } = process.env
    const { stdout, status } = spawnSync(process.execPath, words, {
      env: { NODE_OPTIONS },
      timeout: 60_000,
      encoding: 'utf8',
    })
    return [status, /^# pass (\d+)\n# fail (\d+)$/m.exec(stdout)?.slice(1), stdout]
  }
  expect(resultsOf(false)).toEqual([0, ['6', '0'], expect.anything()])
  expect(resultsOf(true)).toEqual([1, ['0', '6'], expect.anything()])
})

function toOwn(body: unknown) {
  return { title: 'own', respond: [{ on: 'plants.list', status: 200, body }] }
}
