// The order of this file is the order of the emitted types. There is no code behind them.

// The bodies of requests, replies and webhooks
export type * from './api/generated/wire-types.ts'
export type { PlanName, Scope } from './catalogue/records.ts'
export type { EventType } from './areas/event-types.ts'
