import { join, sep } from 'node:path'
import { loadFixtures, loadScenarios } from 'greenhouse-mock/node'
import { expect, test } from 'vitest'
import { problemsOf } from '../support/problems.ts'
import { writeFolder } from '../support/folder.ts'

const fixture =
  'accounts:\n  - { id: acct_me, name: Ann, email: ann@example.com, plan: pro }\nplants:\n  - id: 1\n    name: Ficus\n    account: acct_me\n'
const scenario =
  'title: T\ndescription: |\n  Two\n  lines.\ncovers: C\nrespond:\n  - { on: plants.list, status: 500 }\n'
const wrong = 'plants:\n  - id: 1\n    nmae: Ficus\n'

const asOnWindows = (text: string) => text.replaceAll('\n', '\r\n')

test('files with CRLF are read like files with LF', () => {
  const load = (change: (text: string) => string) => {
    const folder = writeFolder({
      'fixtures/all.yaml': change(fixture),
      'scenarios/own.yaml': change(scenario),
    })
    return [loadFixtures(join(folder, 'fixtures')), loadScenarios(join(folder, 'scenarios'))]
  }
  expect(load(asOnWindows)).toEqual(load((text) => text))
})

test('a mistake in a file with CRLF has the same line and column', () => {
  const [found, expected] = [asOnWindows(wrong), wrong].map((text) =>
    problemsOf({ 'all.yaml': text }, loadFixtures),
  )
  expect(expected).not.toEqual([])
  expect(found).toEqual(expected)
})

test('a folder is found with a separator at its end, and with . in its path', () => {
  const folder = writeFolder({ 'fixtures/all.yaml': fixture })
  const paths = [`fixtures${sep}`, `.${sep}fixtures`, `fixtures${sep}.`].map(
    (path) => folder + sep + path,
  )
  for (const path of paths) expect(Object.keys(loadFixtures(path))).toEqual(['accounts', 'plants'])
})
