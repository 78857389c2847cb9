import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

/** Own scenarios, and one with every kind of option. */
export const ownScenarios = {
  'down.yaml':
    'title: Down\ndescription: The shop is closed.\ncovers: Pages without data.\nrespond:\n  - { on: "plants.*", status: 503 }\n',
  'late.yaml': `title: Late
description: Late, often.
covers: Spinners.
options:
  wait: { description: How long., type: duration, default: 800ms }
  tone: { description: How it is said., values: [plain, "it's rude"], default: plain }
  many: { description: How many., type: integer, default: 3 }
  on: { description: Where., default: '*' }
fault:
  - { on: '\${on}', kind: delay, fixed: '\${wait}' }
respond:
  - { on: '\${on}', status: 503, times: '\${many}', headers: { x-tone: '\${tone}' } }
`,
}

test('types prints the names and options of own scenarios as a declaration, and no bundled one', async () => {
  const folder = writeFolder(ownScenarios)
  const { code, stdout, stderr } = await run(['types', folder])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toBe(`// Written by: greenhouse-mock types ${folder}
import type { OperationPattern } from 'greenhouse-mock'

declare module 'greenhouse-mock' {
  interface Scenarios {
    readonly 'down': {}
    readonly 'late': { 'wait'?: string | number; 'tone'?: 'plain' | 'it\\'s rude'; 'many'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  }
}
`)
})

test('types includes the operations, assumptions, plans and scenarios of a configuration', async () => {
  const folder = writeFolder({
    'greenhouse.config.mjs': `import { defineOperation, definePlugin } from ${JSON.stringify(resolve('dist/config.js'))}
const assumptions = { 'plants.thirst': { question: 'How thirsty?', values: ['a little', 'very'] } }
const operation = { id: 'plants.water', method: 'POST', path: '/plants/{id}/water', handle: () => undefined }
export default {
  operations: [defineOperation(operation)],
  plugins: [definePlugin({ name: 'shop', assumptions })],
  plans: [{ id: 'team', minute: 5 }],
  scenarios: './dry',
}`,
    'dry/dry.yaml': 'title: Dry\ndescription: Dry.\ncovers: Retries.\nrespond: [{ on: plants.water, status: 503 }]\n',
  })
  const { stdout, stderr } = await run(['types'], { env: { GREENHOUSE_CONFIG: `${folder}/greenhouse.config.mjs` } })
  expect(stderr).toBe('')
  expect(stdout).toContain(`
  interface Scenarios {
    readonly 'dry': {}
  }
  interface OwnOperations {
    'plants.water': true
  }
  interface OwnAssumptions {
    'plants.thirst': 'a little' | 'very'
  }
  interface OwnPlans {
    'team': true
  }
}`)
})

test('types refuses a folder that is not there', async () => {
  const { code, stdout, stderr } = await run(['types', 'no-such-folder'])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('no-such-folder')
})
