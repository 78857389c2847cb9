import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { entries as packageEntries } from '../../build/entries.mjs'
import { exportsOf, importsOf } from './modules.ts'
import { root } from './packed.ts'

const dist = (file: string) => join(root, 'dist', file)

/** The exports of each entry, the packages that it needs, and whether a page can load it. */
const entries = (
  [
    [
      'index',
      'CaseStepError DataError createGreenhouse malformations parseJson replayCase toCaseText',
      '',
      true,
    ],
    ['msw', 'createHandlers', 'msw', true],
    ['server', 'serve', '', false],
    ['express', 'createMiddleware', '', false],
    ['node', 'loadCase loadConfig loadFixtures loadScenarios watchFolders', '', false],
    ['data', 'Query', '', true],
    ['vitest', 'createTest expect test', 'msw msw/node vitest', false],
    ['jest', 'withGreenhouse', '', false],
    ['testing', 'createWithWorld withWorld', 'msw msw/node', false],
    ['types', '', '', true],
    [
      'client',
      'CallError ClientError ForeignServerError ServerUnreachableError TokenError connect',
      '',
      true,
    ],
    ['matchers', 'greenhouseMatchers', '', true],
    ['panel', 'mountPanel', '', true],
    [
      'config',
      'defineCollection defineConfig defineOperation definePlugin parseScenarios',
      '',
      true,
    ],
    [
      'evidence',
      'collectEvidence coverageOf mergeEvidence readEvidence toCardMarkdown toCardText',
      '',
      true,
    ],
    ['playwright', 'expect test', '@playwright/test msw msw/node', false],
  ] as const
).map(([entry, values, needs, inPage]) => ({
  entry,
  values: toWords(values),
  needs: toWords(needs),
  inPage,
}))

function toWords(text: string): string[] {
  return text.split(' ').filter(Boolean)
}

const others = toWords(
  'openapi.json scenario.schema.json case.schema.json config.schema.json fixtures.schema.json package.json',
)

const declaredBy = (entry: string) => [
  ...new Set(
    readFileSync(dist(`types/${entry}.d.ts`), 'utf8')
      .match(/^export (declare )?(interface|type|const|function|class) \w+/gm)!
      .map((line) => line.split(' ').at(-1)!),
  ),
]

const types = {
  config: '',
  evidence:
    'Coverage Evidence EvidenceCollector ProposedTest ReportCard RuleExample RuleGrade ShownRequest',
  index:
    'AboutApp Account AccountEffect AccountReply ActiveScenario Additions App AppReply ArrivedRequest AssumeEffect Assumption AssumptionChoices AssumptionId AssumptionValues AsymmetricMatcher Attempt AttemptReply BundledScenarios Case CaseContent CaseDifference CaseRecords CaseReply CaseStart CaseStep Check Clock CollectionName CollectionOptions Condition Conversation ConversationReply Credits CreditsReply DeliverEffect Delivery DeliveryReply Deployment DeploymentReply DnsRecord EffectConditions EffectLimits EventData EventPattern EventType ExpectedText ExtendingFixtures FailedRenewal FaultEffect FindOptions Fixtures GenerateOptions Grade Greenhouse GreenhouseConfig GreenhouseErrorCode GreenhouseHooks GreenhouseOptions HappenedEvent InlineScenario Journal JournalEntry JournalQuery Key KeyReply KeysEffect ListReply MalformEffect Malformation MalformationKind Matches Message MessageReply MessageSent NamedScenarios NamesOf NamingOptions NearMiss NoNames OperationContext OperationId OperationOptions OperationPattern OperationSummary OptionDeclaration OwnArea OwnAssumption OwnAssumptions OwnCollection OwnEvents OwnJsonSchema OwnNames OwnOperation OwnOperations OwnPlans OwnRecordTypes OwnReply OwnSchema PathValues PaymentsEffect Plan PlanFixture PlanName PlanReply Plant Plugin PluginOptions Problem Provenance Purchase PurchaseReply QuotaEffect RecordKey RecordTest RecordTypes RecordedEffect Records RecordsEffect ReplayOptions ReplayedCase RequestViolation RespondEffect ScenarioChoice ScenarioConditions ScenarioName ScenarioOptions ScenarioSummary ScenarioText Scenarios Scope ScopeName StartRecords Subscription SubscriptionReply TriggerOptions Unchanged UnchangedRecords UnchangedScenario User UserReply ValueOf Variant VariantQuery Verdict Violation ViolationQuery ViolationRule Webhook WebhookEvent WebhookReply World WorldChanged WorldRecords WorldStart WrittenScenarios',
  msw: 'BaseUrls',
  server: 'RunningServer ServeOptions',
  express: 'Middleware',
  node: 'LoadConfigOptions LoadedConfig WatchOptions',
  data: 'QueryCondition QueryPart',
  client:
    'ConnectOptions FieldError FollowOptions IsolatedWorld Remote RemoteGreenhouse RemoteJournal RemoteWorld',
  matchers:
    'ExpectedCall ExpectedCalls GreenhouseAssertions GreenhouseMatchers MatcherResult Times',
  panel: 'MountOptions MountedPanel PanelPosition',
  jest: '',
  vitest:
    'MswServer MswWorker StrictChecks TestFixtures TestGreenhouseOptions TestHost TestOptions WorldApi',
  testing:
    'MswServer StrictChecks TestGreenhouseOptions WithWorld WithWorldOptions WorldApi WorldFixtures',
  types:
    'AboutApp AccountReply AccountUsageReply AppChanges AppErrorReply AppFields AppReply AttemptReply ConversationReply CreditsReply DeliveryReply DeploymentReply DnsRecord EventData EventType FailedRenewal KeyReply ListReply MessageDelta MessageReply MessageSent NewApp NewBranding NewConversation NewDeployment NewMessage NewPlant NewPurchase NewWebhook PlanName PlanReply PlantErrorReply PlantReply PurchaseReply Scope SubscriptionChanges SubscriptionReply UsageFigures UsagePeriod UsageReply UserReply WebhookChanges WebhookEvent WebhookReply WebhookWithSecretReply',
  playwright:
    'BaseUrls ExpectedCall ExpectedCalls GreenhouseMatchers MatcherResult StrictChecks TestFixtures TestGreenhouseOptions TestHost Times WorkerFixtures WorldApi',
}

test('every entry leads to its own files, by import and by require', () => {
  expect(entries.map(({ entry }) => entry).sort()).toEqual(
    packageEntries.filter((name) => name !== 'jest-preset').sort(),
  )
  const require = createRequire(join(root, 'package.json'))
  for (const { entry } of entries) {
    const name = entry === 'index' ? 'greenhouse-mock' : `greenhouse-mock/${entry}`
    expect(import.meta.resolve(name)).toBe(pathToFileURL(dist(`${entry}.js`)).href)
    expect(require.resolve(name)).toBe(dist(`cjs/${entry}.cjs`))
    for (const file of [`types/${entry}.d.ts`, `types/${entry}.d.cts`])
      expect(existsSync(dist(file)), file).toBe(true)
  }
  for (const file of ['jest-preset', 'jest-preset/jest-preset', ...others])
    expect(existsSync(require.resolve(`greenhouse-mock/${file}`))).toBe(true)
})

test('a file that is no entry is not found by import or require', () => {
  const chunks = readdirSync(join(root, 'dist')).filter((file) => file.endsWith('.mjs'))
  expect(chunks.length).toBeGreaterThan(20)
  for (const chunk of chunks) expect(existsSync(dist(chunk.replace('.mjs', '.js')))).toBe(false)
  const require = createRequire(join(root, 'package.json'))
  for (const file of ['main', 'compiled', 'jest-transform', 'panel/panel', 'cjs/main'])
    expect(() => require.resolve(`greenhouse-mock/${file}`)).toThrow('is not defined by "exports"')
})

test.each(entries)('$entry exports $values', ({ entry, values }) => {
  expect(exportsOf(dist(`${entry}.js`))).toEqual(values)
})

test.each(entries)(
  '$entry has types for its values, and names for what they take and return',
  ({ entry, values }) => {
    // Vitest itself declares the `expect` of this entry.
    const own = entry === 'vitest' ? values.filter((name) => name !== 'expect') : values
    expect(declaredBy(entry).sort()).toEqual(
      [...own, ...toWords(types[entry as keyof typeof types])].sort(),
    )
  },
)

test.each(entries)('$entry needs only these packages: $needs', ({ entry, needs }) => {
  expect(importsOf(dist(`${entry}.js`)).filter((name) => !isBuiltin(name))).toEqual(needs)
})

test.each(entries.filter(({ inPage }) => inPage))('$entry needs nothing of Node', ({ entry }) => {
  expect(importsOf(dist(`${entry}.js`)).filter((name) => isBuiltin(name))).toEqual([])
})

test("the page's build for Vitest has the same exports, and needs nothing of Node", () => {
  expect(exportsOf(dist('vitest-page.mjs'))).toEqual(exportsOf(dist('vitest.js')))
  expect(importsOf(dist('vitest-page.mjs'))).toEqual(['msw', 'msw/browser', 'vitest'])
})

test('the wire types come without code, and without a type of any package', () => {
  expect(readFileSync(dist('types.js'), 'utf8')).toBe('export {}\n')
  const declared = (file: string): string => {
    const text = readFileSync(dist(`types/${file}`), 'utf8')
    const imported = [...text.matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)].map(
      ([, specifier]) => specifier!,
    )
    return [
      text.replaceAll(/\/\*\*[\s\S]*?\*\//g, ''),
      ...imported.map((specifier) =>
        declared(specifier.replace(/^\.\/(.*?)(\.js|\.d\.ts)?$/, '$1.d.ts')),
      ),
    ].join('')
  }
  expect(declared('types.d.ts')).not.toMatch(/import\(|reference types|\bany\b/)
})
