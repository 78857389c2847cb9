// The order of this file is the order of the emitted types.

// A Greenhouse and its worlds
export { createGreenhouse } from './api/assembly/create.ts'
// Your own operations, collections and plug-ins
export type {
  Additions,
  CollectionOptions,
  OperationContext,
  OperationOptions,
  OwnArea,
  OwnAssumption,
  OwnCollection,
  OwnOperation,
  OwnReply,
  PathValues,
  Plugin,
  PluginOptions,
} from './custom/definitions.ts'
export type { OwnJsonSchema, OwnSchema, ValueOf } from './custom/schema.ts'
export type {
  ArrivedRequest,
  GreenhouseHooks,
  HappenedEvent,
  WorldChanged,
} from './custom/hooks.ts'
export type { GreenhouseOptions, Greenhouse } from './api/greenhouse.ts'
export type { GreenhouseConfig } from './api/config/types.ts'
export type { Unchanged, UnchangedRecords, UnchangedScenario } from './core/world/world-template.ts'
export type { World } from './api/world.ts'
export type { WorldStart } from './api/world-start.ts'
export type { Clock } from './core/time/clock.ts'

// Scenarios and assumptions
export type * from './api/names.ts'
export type * from './catalogue/own-names.ts'
export type * from './catalogue/inferred-names.ts'
export type * from './api/generated/inline-scenario.ts'
export type { ScenarioSummary } from './scenarios/language/scenario-summary.ts'
export type { OptionDeclaration } from './scenarios/language/options.ts'
export { malformations, type Malformation } from './api/malformations.ts'
export type { MalformationKind } from './scenarios/language/malformation.ts'
export type { Variant, VariantQuery } from './api/variants.ts'
export type { Assumption, Provenance } from './core/contract/assumptions.ts'

// The journal
export type * from './api/journal.ts'
export type { RequestViolation, Violation, ViolationRule } from './core/journal/violation.ts'
export type { AsymmetricMatcher, ExpectedText } from './core/contract/expected.ts'
export type { JournalEntry } from './core/journal/journal-entry.ts'
export type { NearMiss, Verdict } from './core/journal/journal-record.ts'

// Cases: what happened, in one file
export type * from './cases/generated/case.ts'
export {
  type CaseDifference,
  CaseStepError,
  replayCase,
  type ReplayedCase,
  type ReplayOptions,
} from './replay/replay.ts'
export { toCaseText } from './cases/format.ts'
export { parseJson } from './core/http/json.ts'

// Records: what a world keeps
export type {
  WorldRecords,
  StartRecords,
  RecordTypes,
  Records,
  RecordKey,
} from './catalogue/records.ts'
export type { Condition, FindOptions, Matches, RecordTest } from './core/store/record-query.ts'
export type {
  Account,
  Key,
  OwnPlans,
  Plan,
  PlanFixture,
  PlanName,
  Scope,
} from './catalogue/records.ts'
export type { Plant } from './areas/plants/schemas.ts'
export type { App } from './areas/apps/apps/schemas.ts'
export type { User } from './areas/apps/users/schemas.ts'
export type { Conversation, Message } from './areas/apps/conversations/schemas.ts'
export type { Attempt, Delivery, Webhook } from './areas/apps/webhooks/schemas.ts'
export type { Deployment } from './areas/apps/deployments/schemas.ts'
export type { Credits, Purchase, Subscription } from './areas/apps/payments/schemas.ts'
export type { Fixtures } from './fixtures/check.ts'
export type { GenerateOptions } from './fixtures/generate.ts'
export type { ExtendingFixtures } from './fixtures/resolve.ts'
export type { GreenhouseErrorCode } from './core/text/error-codes.ts'
export { DataError, type Problem } from './core/contract/problem.ts'

// Webhooks: events, and how receivers did
export type { EventType } from './areas/event-types.ts'
export type {
  WebhookEvent,
  EventData,
  AboutApp,
  MessageSent,
  FailedRenewal,
} from './api/generated/wire-types.ts'
export type { Check, Grade } from './areas/apps/webhooks/report/check-receiver.ts'

// Replies: what clients get
export type {
  AppReply,
  UserReply,
  ConversationReply,
  MessageReply,
  DeploymentReply,
  DnsRecord,
  SubscriptionReply,
  PlanReply,
  CreditsReply,
  PurchaseReply,
  WebhookReply,
  AccountReply,
  KeyReply,
  ListReply,
  DeliveryReply,
  AttemptReply,
} from './api/generated/wire-types.ts'

// Names, for editors to complete
export type * from './api/generated/known-names.ts'
