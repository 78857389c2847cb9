import { afterAll, beforeAll, expect, test } from 'vitest'
import { installTypeProject, type TypeProject } from './type-project.ts'

const noAny = `
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpHandler } from 'msw'
import * as data from 'greenhouse-mock/data'
import * as index from 'greenhouse-mock'
import * as express from 'greenhouse-mock/express'
import * as msw from 'greenhouse-mock/msw'
import * as node from 'greenhouse-mock/node'
import * as server from 'greenhouse-mock/server'

type IsAny<T> = 0 extends 1 & T ? true : false
type Foreign = string | Request | Response | Uint8Array | URLSearchParams | RegExp | Error | IncomingMessage | ServerResponse | HttpHandler
type Less = { 8: 7; 7: 6; 6: 5; 5: 4; 4: 3; 3: 2; 2: 1; 1: 0; 0: never }
/** The path to the first \`any\` in a type; \`never\` when there is none. */
type AnyIn<T, Depth extends keyof Less = 6> = IsAny<T> extends true
  ? 'any'
  : [Depth] extends [0]
    ? never
    : T extends Foreign
      ? never
      : T extends Promise<infer Value>
        ? AnyIn<Value, Less[Depth]>
        : T extends readonly (infer Item)[]
          ? AnyIn<Item, Less[Depth]>
          : T extends abstract new (...parameters: infer Parameters) => infer Instance
            ? AnyIn<Parameters, Less[Depth]> | AnyIn<Instance, Less[Depth]>
            : T extends (...parameters: infer Parameters) => infer Result
              ? AnyIn<Parameters, Less[Depth]> | AnyIn<Result, Less[Depth]>
              : T extends object
                ? { [Key in keyof T]-?: AnyIn<T[Key], Less[Depth]> extends never ? never : \`\${Key & string}.\${AnyIn<T[Key], Less[Depth]> & string}\` }[keyof T]
                : never

const found: AnyIn<{ leak: (options: { any: any }) => void }> = 'leak.any.any'
type Public = [typeof index, data.Query<index.App>, data.QueryCondition<index.App>, typeof express, Parameters<typeof msw.createHandlers>, typeof node, typeof server, index.Account, index.App, index.Assumption,
  index.Clock, index.Fixtures, index.Greenhouse, index.GreenhouseOptions, index.JournalEntry, index.JournalQuery, index.Journal, index.Key,
  index.OperationSummary, index.Plant, index.Problem, index.Records<{ id: string }>, index.WebhookEvent, index.DeliveryReply, index.ScenarioChoice, index.ScenarioSummary,
  index.Scope, index.ActiveScenario, index.AssumptionChoices, index.BundledScenarios, index.WorldStart, index.World, index.WorldRecords]
const none: AnyIn<Public, 8> extends never ? true : AnyIn<Public, 8> = true
export { found, none }
`

let project: TypeProject

beforeAll(() => {
  project = installTypeProject()
  project.write('no-any.mts', noAny)
})

afterAll(() => project.remove())

test('no public type holds an any', () => {
  expect(project.check('bundler', 'no-any.mts')).toBe('')
})
