// How a scenario is written in code, for editors to complete. Written by `npx vitest run test/docs -u` from the definitions.
import type { EventType } from '../areas/event-types.ts'
import type { AssumptionValues, OperationPattern } from './known-names.ts'

/**
 * A scenario in code, without a file: its effects, and a title if you like. One effect is enough.
 * @example world.use({ respond: [{ on: 'apps.list', status: 500, times: 1 }] })
 */
export interface InlineScenario {
  /** An object with a name means a scenario of the library. */
  readonly name?: undefined
  /** One line. The scenario's name is made of it: `Apps are down` becomes `inline-apps-are-down`. Without it, `inline-1`. */
  readonly title?: string | undefined
  /** Keys that expire, are revoked, unknown or lost on the way, or permit less. One of expire, revoke, forget, lose, scopes and without. */
  readonly keys?: readonly KeysEffect[] | undefined
  /** What is left of a budget, in the window in which the scenario was switched on. */
  readonly quota?: readonly QuotaEffect[] | undefined
  /** Puts accounts on another plan. */
  readonly account?: readonly AccountEffect[] | undefined
  /** Switches assumptions, by id: plants.delete.unknown: 204. */
  readonly assume?: AssumeEffect | undefined
  /** Requests see other records than those of the world. */
  readonly records?: readonly RecordsEffect[] | undefined
  /** A fixed reply, before the key is looked at and before anything is done. */
  readonly respond?: readonly RespondEffect[] | undefined
  /** A value of a reply that is wrong: the one at a JSON pointer, or a field by its name. */
  readonly malform?: readonly MalformEffect[] | undefined
  /** How a reply goes wrong on its way. */
  readonly fault?: readonly FaultEffect[] | undefined
  /** How deliveries to webhooks go wrong. */
  readonly deliver?: readonly DeliverEffect[] | undefined
  /** Payments that the payment provider refuses. The result is stored. */
  readonly payments?: readonly PaymentsEffect[] | undefined
}

/** How often an effect acts. */
export interface EffectLimits {
  /** How many times it acts at most. */
  readonly times?: number | undefined
  /** How many matching requests pass before it acts. */
  readonly after?: number | undefined
  /** 3: it acts on every 3rd matching request. */
  readonly every?: number | undefined
  /** How likely it acts, from 0 to 1. The world's seed decides. */
  readonly probability?: number | undefined
}

/** On which requests an effect acts, and how often. */
export interface EffectConditions extends EffectLimits {
  /** Which operations: an id (plants.list), a glob (apps.*), or a list of them. All by default. */
  readonly on?: OperationPattern | readonly OperationPattern[] | undefined
  /** Which callers: they must meet every field that is given. All by default. */
  readonly where?: {
    /** The plan that the account is on. */
    readonly plan?: 'any' | 'free' | 'lite' | 'pro' | 'pro_plus' | undefined
    /** The id of the account. */
    readonly account?: string | undefined
    /** The secret of the key, without @world. */
    readonly key?: string | undefined
  } | undefined
}

/** Which events: a type, or a glob such as `app.*`. */
export type EventPattern = EventType | (string & {})

/** The name of a collection of records. */
export type CollectionName = 'accounts' | 'keys' | 'plants' | 'apps' | 'users' | 'conversations' | 'messages' | 'webhooks' | 'deliveries' | 'deployments' | 'subscriptions' | 'credits' | 'purchases'

/** Switches assumptions, by id: `{ 'plants.delete.unknown': '204' }`. */
export type AssumeEffect = { readonly [Id in keyof AssumptionValues]?: AssumptionValues[Id] | undefined }

/** Keys that expire, are revoked, unknown or lost on the way, or permit less. One of expire, revoke, forget, lose, scopes and without. */
export interface KeysEffect extends EffectConditions {
  /** They expire this long after the scenario was switched on: 10m. */
  readonly expire?: string | number | undefined
  /** They are revoked. */
  readonly revoke?: true | undefined
  /** The service does not know them. */
  readonly forget?: true | undefined
  /** They do not arrive: the request is answered as one without a key. */
  readonly lose?: true | undefined
  /** What they permit at most. */
  readonly scopes?: readonly ('apps:read' | 'apps:write' | 'analytics:read' | 'webhooks:read' | 'webhooks:write' | 'deployments:read' | 'deployments:write' | 'payments:read' | 'payments:write' | 'plants:read' | 'plants:write')[] | undefined
  /** What they do not permit. */
  readonly without?: 'apps:read' | 'apps:write' | 'analytics:read' | 'webhooks:read' | 'webhooks:write' | 'deployments:read' | 'deployments:write' | 'payments:read' | 'payments:write' | 'plants:read' | 'plants:write' | undefined
}

/** What is left of a budget, in the window in which the scenario was switched on. */
export interface QuotaEffect extends EffectConditions {
  /** Which budget. */
  readonly window: 'minute' | 'day'
  /** How many requests are left; 0 by default. */
  readonly remaining?: number | undefined
}

/** Puts accounts on another plan. */
export interface AccountEffect extends EffectConditions {
  /** The plan that they are on. */
  readonly plan: 'free' | 'lite' | 'pro' | 'pro_plus'
}

/** Requests see other records than those of the world. */
export interface RecordsEffect extends EffectConditions {
  /** Which records: plants, apps and so on. */
  readonly collection: CollectionName
  /** none: the collection is empty. */
  readonly keep?: 'none' | undefined
  /** How many more for each account. */
  readonly add?: number | undefined
}

/** A fixed reply, before the key is looked at and before anything is done. */
export interface RespondEffect extends EffectConditions {
  /** An error of the catalogue, in the area's own shape. */
  readonly error?: 'invalid_request' | 'idempotency_key_reused' | 'payment_declined' | 'duplicate_id' | 'missing_api_key' | 'invalid_api_key' | 'insufficient_permissions' | 'insufficient_credits' | 'not_found' | 'method_not_allowed' | 'payload_too_large' | 'unsupported_encoding' | 'unsupported_media_type' | 'rate_limit_exceeded' | 'internal_error' | undefined
  /** What the error says. */
  readonly message?: string | undefined
  /** The status. Beside an error, it replaces the status of the error. */
  readonly status?: number | undefined
  /** Headers by name; they replace headers of the same name. */
  readonly headers?: Readonly<Record<string, string | number>> | undefined
  /** A JSON body. */
  readonly body?: unknown
  /** A body that is sent unchanged. */
  readonly text?: string | undefined
  /** Whether something in front of the service answers, without the headers of the service. */
  readonly in_front?: boolean | undefined
}

/** A value of a reply that is wrong: the one at a JSON pointer, or a field by its name. */
export interface MalformEffect extends EffectConditions {
  /** A JSON pointer to the value: /0/name. */
  readonly at?: string | undefined
  /** The name of the field in the contract: name, or data.name. It is wrong wherever it occurs; in a list, in the first item. */
  readonly field?: string | undefined
  /** How it is wrong. */
  readonly kind: 'missing' | 'null' | 'wrong-type' | 'empty' | 'huge' | 'extra' | 'bad-enum' | 'out-of-range' | 'bad-utf8' | 'duplicate'
}

/** How a reply goes wrong on its way. */
export type FaultEffect =
  | BadUtf8Fault
  | ClockSkewFault
  | DelayFault
  | DripFault
  | EmptyReplyFault
  | GarbageFault
  | HeadersFault
  | NetworkErrorFault
  | ResetFault
  | StaleFault
  | StreamFault
  | TimeoutFault
  | TruncateFault

/** One byte in the middle of the body is not valid UTF-8. */
export interface BadUtf8Fault extends EffectConditions {
  readonly kind: 'bad-utf8'
}

/** The service's clock is off: every time that the reply tells, in `Date`, `X-RateLimit-Reset` and the body. */
export interface ClockSkewFault extends EffectConditions {
  readonly kind: 'clock-skew'
  /** How far: 1h, or -90s. */
  readonly by: string | number
}

/** The reply is held back. It ends when the world's clock or the machine's has moved on so far, so `world.clock.advance('2s')` skips it. Several add up, to a day at most. One of fixed, uniform and lognormal. */
export interface DelayFault extends EffectConditions {
  readonly kind: 'delay'
  /** How long: 800ms. */
  readonly fixed?: string | number | undefined
  /** Between min and max, each as likely: { min: 100ms, max: 2s }. */
  readonly uniform?: {
    /** No shorter. */
    readonly min: string | number
    /** No longer. */
    readonly max: string | number
  } | undefined
  /** Mostly near the median, with a long tail; the greater sigma, the longer: { median: 200ms, sigma: 1, max: 10s }. */
  readonly lognormal?: {
    /** Half of the delays are shorter. */
    readonly median: string | number
    /** How widely they vary: 0 not at all, 1 widely. */
    readonly sigma: number
    /** The longest delay. */
    readonly max?: string | number | undefined
  } | undefined
}

/** The body leaves slowly. */
export interface DripFault extends EffectConditions {
  readonly kind: 'drip'
  /** How many bytes a second. */
  readonly bytes_per_second: number
}

/** The connection is closed normally, before a single byte is sent. */
export interface EmptyReplyFault extends EffectConditions {
  readonly kind: 'empty-reply'
  /** What is lost: the request, so that nothing was done (the default), or the reply, so that it was done. */
  readonly loses?: 'request' | 'reply' | undefined
}

/** Bytes that are no HTTP come in place of a reply, then the connection closes. */
export interface GarbageFault extends EffectConditions {
  readonly kind: 'garbage'
  /** How many; 64 by default. */
  readonly bytes?: number | undefined
  /** What is lost: the request, so that nothing was done (the default), or the reply, so that it was done. */
  readonly loses?: 'request' | 'reply' | undefined
}

/** Headers are set, left out, or sent twice. */
export interface HeadersFault extends EffectConditions {
  readonly kind: 'headers'
  /** Headers by name: { Name: value }. */
  readonly set?: Readonly<Record<string, string | number>> | undefined
  /** Names of those that are left out: [Name]. */
  readonly remove?: readonly string[] | undefined
  /** Names of those that are sent twice: [Name]. */
  readonly repeat?: readonly string[] | undefined
}

/** The request fails without a reply, through every adapter. */
export interface NetworkErrorFault extends EffectConditions {
  readonly kind: 'network-error'
  /** What is lost: the request, so that nothing was done (the default), or the reply, so that it was done. */
  readonly loses?: 'request' | 'reply' | undefined
}

/** The connection is reset (TCP RST) in place of a reply. */
export interface ResetFault extends EffectConditions {
  readonly kind: 'reset'
  /** What is lost: the request, so that nothing was done (the default), or the reply, so that it was done. */
  readonly loses?: 'request' | 'reply' | undefined
}

/** A GET is answered with the first reply that the same caller got to it since the scenario was switched on, and `Age`. */
export interface StaleFault extends EffectConditions {
  readonly kind: 'stale'
}

/** A reply of server-sent events goes wrong, or comes slowly. Other replies stay as they are. */
export interface StreamFault extends EffectConditions {
  readonly kind: 'stream'
  /** What happens after some of its events: the connection breaks off, nothing more comes, or an error event ends the stream. */
  readonly fails?: 'break' | 'stall' | 'error' | undefined
  /** How many events come before; 0 by default. A stream with no more events than that stays whole. */
  readonly events?: number | undefined
  /** How long nothing comes: a length of time up to 1d, or ever, the default. */
  readonly for?: string | number | undefined
  /** The code of the error event; internal_error by default. */
  readonly error?: 'invalid_request' | 'idempotency_key_reused' | 'payment_declined' | 'duplicate_id' | 'missing_api_key' | 'invalid_api_key' | 'insufficient_permissions' | 'insufficient_credits' | 'not_found' | 'method_not_allowed' | 'payload_too_large' | 'unsupported_encoding' | 'unsupported_media_type' | 'rate_limit_exceeded' | 'internal_error' | undefined
  /** What the error event says. */
  readonly message?: string | undefined
  /** How many events are sent per second; each event of an answer has one word. */
  readonly words_per_second?: number | undefined
}

/** No reply arrives; the connection stays open until the client gives up. */
export interface TimeoutFault extends EffectConditions {
  readonly kind: 'timeout'
  /** What is lost: the request, so that nothing was done (the default), or the reply, so that it was done. */
  readonly loses?: 'request' | 'reply' | undefined
}

/** The body ends too early. */
export interface TruncateFault extends EffectConditions {
  readonly kind: 'truncate'
  /** After how many bytes. */
  readonly at: number
  /** Whether Content-Length tells what is sent, or what was promised; then the connection closes in mid-body. */
  readonly content_length?: 'honest' | 'lying' | undefined
}

/** How deliveries to webhooks go wrong. */
export interface DeliverEffect extends EffectLimits {
  /** In which way. */
  readonly kind: 'duplicate' | 'late' | 'out-of-order' | 'stale-timestamp' | 'bad-signature' | 'lost'
  /** Which events: a type (plant.created), a glob (app.*), or a list of them. All by default. */
  readonly events?: EventPattern | readonly EventPattern[] | undefined
  /** How late, or how old: 1h. */
  readonly by?: string | number | undefined
}

/** Payments that the payment provider refuses. The result is stored. */
export interface PaymentsEffect extends EffectLimits {
  /** Which payments: purchase (of credits), upgrade (to a plan that costs more), renewal (of a subscription), or a list of them. */
  readonly charge: 'purchase' | 'upgrade' | 'renewal' | readonly ('purchase' | 'upgrade' | 'renewal')[]
  /** declined, the default: refused at once. fails-later: a purchase is pending first, then it fails. */
  readonly outcome?: 'declined' | 'fails-later' | undefined
  /** Whose payments; all that is named must hold. All, without it. */
  readonly where?: {
    /** The plan that the account is on. */
    readonly plan?: 'any' | 'free' | 'lite' | 'pro' | 'pro_plus' | undefined
    /** The id of the account. */
    readonly account?: string | undefined
  } | undefined
}
