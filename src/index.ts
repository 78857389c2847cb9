export { createGreenhouse } from './greenhouse/create.ts'
export type { Greenhouse, GreenhouseOptions, OperationSummary } from './greenhouse/greenhouse.ts'
export { malformations } from './greenhouse/malformations.ts'
export type { Malformation } from './greenhouse/malformations.ts'
export type { World } from './greenhouse/world.ts'
export type { WorldRecords } from './greenhouse/records.ts'
export type { WorldStart } from './greenhouse/world-start.ts'
export type { StartRecords } from './greenhouse/records.ts'
export type { Account, Key, Scope } from './core/accounts/accounts.ts'
export type { App } from './areas/apps/apps/schemas.ts'
export type { Conversation } from './areas/apps/conversations/schemas/conversation.ts'
export type { Message } from './areas/apps/conversations/schemas/message.ts'
export type { Deployment } from './areas/apps/deployments/schemas.ts'
export type { Credits } from './areas/apps/payments/schemas/credits.ts'
export type { Purchase } from './areas/apps/payments/schemas/purchase.ts'
export type { Subscription } from './areas/apps/payments/schemas/subscription.ts'
export type { User } from './areas/apps/users/schemas.ts'
export type { Delivery } from './areas/apps/webhooks/schemas/delivery.ts'
export type { Webhook } from './areas/apps/webhooks/schemas/webhook.ts'
export type { Verdict } from './core/journal/verdict.ts'
export type { Plant } from './areas/plants/schemas.ts'
export type { Check, Grade } from './areas/apps/webhooks/report/grade.ts'
export type { ShownDelivery, TriggerOptions } from './greenhouse/trigger.ts'
export type { Assumption, Provenance } from './core/definitions/assumptions.ts'
export type { Clock } from './core/time/clock.ts'
export type { JournalEntry } from './core/journal/journal.ts'
export type { RequestViolation, Violation, ViolationRule } from './core/journal/violation.ts'
export { DataError } from './core/definitions/problem.ts'
export type { Problem } from './core/definitions/problem.ts'
export type { Condition, FindOptions, Matches, RecordTest } from './core/store/record-query.ts'
export type { Records } from './core/store/records.ts'
export type { Reply } from './core/http/reply.ts'
export type { ServiceRequest } from './core/http/request.ts'
export type { EventType } from './areas/event-types.ts'
export type { AssumptionValues, BundledScenarios, OperationId, OperationPattern } from './greenhouse/known-names.ts'
export type {
  ActiveScenario,
  AssumptionChoices,
  AssumptionId,
  Journal,
  JournalQuery,
  ScenarioChoice,
  ScenarioName,
  ViolationQuery,
} from './greenhouse/names.ts'
export type { Kept, KeptRecords, KeptScenario } from './core/world/origin.ts'
export type { Fixtures } from './fixtures/check.ts'
export type { ScenarioSummary } from './scenarios/library.ts'
