import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The files of tests that import the source: each for one of the reasons in CONTRIBUTING.md. */
const reasons = {
  'They try each entry of a list of the source, or compare what is generated from it.': `
    apps/lists.test cli/openapi.test cli/world-commands.test contract/document.test
    contract/every-reply.full.test contract/flip-consulted.test contract/flip-reports.test
    control/actions.test control/doors.test coverage/cases/index coverage/statuses.test
    coverage/ways docs/coming-from.test docs/config-schema.test docs/descriptions.test
    docs/generated.test docs/pages.test docs/parity.full.test docs/scenarios-and-fixtures.test
    docs/schemas.test docs/settings.test errors/codes.test expressions/all-are-linear.full.test
    fixtures/story.test hosting/environment judging/every-rule.test malformations/contract
    parity/scenarios.test proxy/scenarios.test scenarios/effects/payment.test
    scenarios/read-once.test scenarios/whatever-a-file-holds.test webhooks/events.test`,
  'They replace a process, a socket, a resolver or a page, or count the work inside.': `
    adapters/connections.test adapters/own-handlers.test builds/all-builds cli/banner.test
    cli/lost-output.test cli/reading-flags.test cli/request-log.test cli/terminal.test
    contract/flip-command.test control/events.test control/in-page.test
    control/long-lists.full.test control/long-lists.test control/panel-files.test
    control/undo.test core/all-or-nothing.full.test core/areas.test judging/strict-mode.test
    malformations/shapes.test memory/model.test panel/without-page.test rate-limit/budgets.test
    scale-out/same-worlds.full.test support/cli testing/options.test verify/against
    verify/command.test verify/mistakes.test verify/reports.test verify/stores.test
    webhooks/blocked.test worlds/bound.test`,
  'They read replies, or work out what they expect, with a helper of the source.': `
    cli/log.test control/client/control-api.test control/record.test errors/messages.test
    fixtures/round-trip.full.test journal/query.test support/events support/outputs
    verify/manners.test work/work.full.test worlds/isolation.test`,
}

/** An import of more than types, also one that a condition loads. */
const imports = /(?:^import (?!type )[^;']*? from |\bimport\()'(?:\.\.\/)+src\//m

const folder = new URL('..', import.meta.url)

test('only these test files import the source: all others test the package', () => {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path))
    .filter((path) => importsSource(readFileSync(new URL(path, folder), 'utf8')))
  const known = Object.values(reasons).flatMap((paths) => paths.trim().split(/\s+/))
  expect(found.sort()).toEqual(known.map((path) => `${path}.ts`).sort())
})

/** Types alone are not there at run time. */
function importsSource(text: string): boolean {
  const withoutTypes = text.replaceAll(/^import \{(?: type \w+(?: as \w+)?,?)+ \} from .*$/gm, '')
  return imports.test(withoutTypes)
}

test.each([
  ["import { a } from 'SOURCE/a.ts'", true],
  ["import {\n  a,\n  type B,\n} from 'SOURCE/a.ts'", true],
  ["import * as all from 'SOURCE/a.ts'", true],
  ["const a = await import('SOURCE/a.ts')", true],
  ["import type { A } from 'SOURCE/a.ts'", false],
  ["import { type A } from 'SOURCE/a.ts'", false],
  ["import { a } from '../support/a.ts'\nimport type { B } from 'SOURCE/b.ts'", false],
  ["import { a } from 'greenhouse-mock'", false],
])('of %j it is known whether it imports the source: %j', (text, isImport) => {
  expect(importsSource(text.replaceAll('SOURCE', '../../src'))).toBe(isImport)
})
