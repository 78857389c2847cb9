import { accounts, assertOwned } from '../../core/accounts/accounts.ts'
import type { CasePart } from '../../cases/part.ts'
import {
  checkOptions,
  list,
  object,
  rejectSecond,
  type RulesFor,
  withCallerStack,
} from '../../core/contract/options.ts'
import { describeProblem, quote } from '../../core/text/messages.ts'
import { assertValidator } from '../../core/journal/violation.ts'
import type { CoreJournal, JournalPart } from '../../core/journal/journal.ts'
import { createIndexes } from '../../core/store/records.ts'
import { UnknownScenarioError } from '../../core/world/effective-settings.ts'
import { findPending } from '../../core/world/pending.ts'
import type { FixturePart } from '../../fixtures/part.ts'
import type { ScenarioPart } from '../../scenarios/language/part.ts'
import { Greenhouse } from '../greenhouse.ts'
import type { StartRecords } from '../records.ts'
import {
  type AreaPart,
  type Catalogue,
  foldAreas,
  MissingAreaError,
  missingAreas,
  missingCollections,
} from './fold-areas.ts'
import { type GreenhouseOptions, greenhouseRules } from './options.ts'
import { findOwnArea } from './template.ts'
import type { JudgePart } from './validation.ts'
import type { WebhookTools } from './webhook-tools.ts'

/** The options of `createGreenhouse` of `greenhouse-mock/parts`: the parts, and the options of every Greenhouse. */
export interface CoreOptions extends Omit<
  GreenhouseOptions,
  'areas' | 'case' | 'fixtures' | 'hooks' | 'plans' | 'scenarios' | 'journal'
> {
  /** The areas to serve: `plants` or `apps` of `greenhouse-mock/parts`, or both. */
  areas: readonly AreaPart[]
  /** The data that every world starts with, from `greenhouse-mock/parts`. Without `fixtures` and `records`, worlds start empty. */
  fixtures?: FixturePart | undefined
  /** The data that every world starts with, in the form of `world.records`. Use it instead of `fixtures`: it adds less code to a page. */
  records?: StartRecords | undefined
  /** The scenarios that worlds can switch on, from `greenhouse-mock/parts`. None by default. */
  scenarios?: ScenarioPart | undefined
  /** Records the requests that worlds receive: `journal()` of `greenhouse-mock/parts`. Without it, nothing is recorded. */
  journal?: JournalPart | undefined
  /** Finds requests that break the contract, and refuses them with `strict`: `judge` of `greenhouse-mock/parts`. */
  judge?: JudgePart | undefined
  /** Adds `world.trigger`, `world.grade` and `world.examine`: `webhookTools` of `greenhouse-mock/parts`. */
  webhookTools?: WebhookTools | undefined
  /** Adds `world.toCase`: `cases` of `greenhouse-mock/parts`. */
  cases?: CasePart | undefined
}

const partRule = (part: string) => ({
  takes: `the part ${part} of greenhouse-mock/parts`,
  accepts: (value: unknown) => (value as { readonly part?: unknown } | null)?.part === part,
})

// A case needs all parts. Hooks and plans come with plug-ins.
const { case: _, hooks: _hooks, plans: _plans, ...common } = greenhouseRules

const rules: RulesFor<CoreOptions> = {
  ...common,
  areas: list('a list of areas, such as [plants] of greenhouse-mock/parts', (value) =>
    Array.isArray((value as Partial<AreaPart> | null)?.area?.operations),
  ),
  records: object('an object of records by collection, such as { plants: [] }'),
  fixtures: partRule('fixtures'),
  scenarios: partRule('scenarios'),
  journal: partRule('journal'),
  judge: partRule('judge'),
  webhookTools: partRule('webhook-tools'),
  cases: partRule('case'),
}

/**
 * Creates a Greenhouse from the parts that you give it, so that a page loads no others. Otherwise it works like
 * `createGreenhouse` of `greenhouse-mock`.
 * @example
 * const greenhouse = createGreenhouse({ areas: [plants], fixtures, scenarios })
 * @throws the same errors as `createGreenhouse` of `greenhouse-mock`.
 */
export function createGreenhouse(options: CoreOptions): Greenhouse {
  return withCallerStack(createGreenhouse, () => {
    rejectSecond('createGreenhouse', arguments, 'Put all options into one object.')
    checkOptions('createGreenhouse', options, rules)
    const {
      areas,
      fixtures,
      records,
      scenarios = noScenarios,
      journal = noJournal,
      judge,
      webhookTools,
      cases,
      ...common
    } = options
    if (!areas?.length)
      throw new TypeError(
        'Failed to call createGreenhouse(): the option "areas" takes at least one area: import { plants } from \'greenhouse-mock/parts\'.',
      )
    if (fixtures && records)
      throw new TypeError('Failed to call createGreenhouse(): give it "fixtures" or "records", not both.')
    if (common.persist && !cases)
      throw new TypeError(
        'Failed to call createGreenhouse(): the option "persist" needs "cases". Import { cases } from \'greenhouse-mock/parts\' and pass it.',
      )
    if (common.strict) assertValidator(judge)
    const bare = foldAreas([{ areas: areas.map(({ area }) => area) }])
    const catalogue = foldAreas(findOwnArea(common, bare), bare)
    const parts: Readonly<Record<string, object | undefined>> = {
      scenarios: options.scenarios,
      journal: options.journal,
      judge,
      'webhook-tools': webhookTools,
    }
    return new Greenhouse(
      {
        catalogue,
        fixtures: fixtures ?? createInitialRecords(catalogue, records),
        scenarios,
        journal,
        webhookTools,
        cases,
        judge,
        leftOut: [...missingAreas(catalogue.areas), ...Object.keys(parts).filter((name) => !parts[name])],
      },
      common,
    )
  })
}

const noScenarios: ScenarioPart = {
  part: 'scenarios',
  createLibrary: () => ({
    activate: ({ name }) => failWithoutScenarios(`the scenario ${quote(name)}`),
    readInline: () => failWithoutScenarios('an inline scenario'),
    has: () => false,
    assertKnown: (name) => failWithoutScenarios(`the scenario ${quote(name)}`),
    list: () => [],
    search: () => [],
  }),
}

function failWithoutScenarios(what: string): never {
  throw new UnknownScenarioError(
    `Failed to use ${what}: this Greenhouse has no scenarios. Import { scenarios } from 'greenhouse-mock/parts' and pass it: createGreenhouse({ scenarios }).`,
  )
}

function createInitialRecords(catalogue: Catalogue, given: StartRecords = {}): FixturePart {
  for (const [name, area] of missingCollections(catalogue.definitions))
    if (Object.hasOwn(given, name)) throw new MissingAreaError(`start with ${name}`, area)
  const records = given as Readonly<Record<string, readonly object[] | undefined>>
  const names = Object.keys(catalogue.definitions)
  for (const name of Object.keys(records))
    if (!names.includes(name))
      throw new TypeError(
        describeProblem(`Failed to start with "${name}": there is no such collection`, name, names, true),
      )
  const of = createIndexes(({ name }) => (records[name] ?? []) as never)
  // This checks the accounts, even if nothing belongs to them.
  of(accounts)
  for (const definition of catalogue.collections)
    if (definition.owner) assertOwned({ collection: of }, definition, of(definition).all())
  return {
    part: 'fixtures',
    check(own) {
      if (own)
        throw new TypeError(
          'Failed to read fixtures: this Greenhouse has none. Give createGreenhouse the option "fixtures".',
        )
    },
    initialRecords: () => ({
      of,
      pending: (kinds) => ({
        find: () => findPending(kinds, ({ collection, isWaiting }) => of(collection).all().filter(isWaiting)),
      }),
    }),
  }
}

const failWithoutJournal = (): never => {
  throw new Error(
    "Failed to read the journal: this Greenhouse keeps none. Import { journal } from 'greenhouse-mock/parts' and pass it: createGreenhouse({ journal: journal() }).",
  )
}

const noopJournal = new Proxy(
  { write: () => undefined, end: () => undefined, lastId: 0 },
  { get: (own, name) => (Object.hasOwn(own, name) ? own[name as keyof typeof own] : failWithoutJournal()) },
) as unknown as CoreJournal

const noJournal: JournalPart = {
  part: 'journal',
  open: () => () => noopJournal,
  get toEntry() {
    return failWithoutJournal()
  },
  toShownUrl: failWithoutJournal,
  // Only the sender of a request reads the message.
  redact: (text) => text,
}
