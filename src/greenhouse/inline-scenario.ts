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
  /** Makes keys expired, revoked, unknown or missing, or takes scopes from them. Set one of expire, revoke, forget, lose, scopes and without. */
  readonly keys?: readonly KeysEffect[] | undefined
  /** Sets how many requests are left in a rate-limit window. The window begins with the first request that meets it. */
  readonly quota?: readonly QuotaEffect[] | undefined
  /** Puts accounts on another plan. */
  readonly account?: readonly AccountEffect[] | undefined
  /** Changes assumptions, by id: plants.delete.unknown: 204. */
  readonly assume?: AssumeEffect | undefined
  /** Changes which records requests see: none, or many more. */
  readonly records?: readonly RecordsEffect[] | undefined
  /** Sends a fixed reply. The key is not checked, and the operation does not run. */
  readonly respond?: readonly RespondEffect[] | undefined
  /** Makes a value of the reply wrong. Select it by JSON pointer (at) or by name (field). */
  readonly malform?: readonly MalformEffect[] | undefined
  /** Makes sending the reply go wrong: delays, resets, cut bodies. */
  readonly fault?: readonly FaultEffect[] | undefined
  /** Makes webhook deliveries go wrong: late, lost, or sent twice. */
  readonly deliver?: readonly DeliverEffect[] | undefined
  /** Makes the payment provider refuse payments. The result is stored. Each account has its own count. */
  readonly payments?: readonly PaymentsEffect[] | undefined
}

/** How often an effect acts. */
export interface EffectLimits {
  /** The most times it acts. No limit by default. */
  readonly times?: number | undefined
  /** How many matching requests it lets pass first. 0 by default. */
  readonly after?: number | undefined
  /** It acts on every nth matching request: 3 means every 3rd. */
  readonly every?: number | undefined
  /** The probability that it acts, from 0 to 1. The world's seed decides. */
  readonly probability?: number | undefined
}

/** On which requests an effect acts, and how often. */
export interface EffectConditions extends EffectLimits {
  /** Which operations: an id (plants.list), a glob (apps.*), or a list of them. All by default. */
  readonly on?: OperationPattern | readonly OperationPattern[] | undefined
  /** Which callers: those that match every given field. All by default. */
  readonly where?: {
    /** The plan that the account is on. */
    readonly plan?: 'any' | 'free' | 'lite' | 'pro' | 'pro_plus' | undefined
    /** The id of the account. */
    readonly account?: string | undefined
    /** The key itself, without the suffix "@world". */
    readonly key?: string | undefined
  } | undefined
}

/** Which events: a type, or a glob such as `app.*`. */
export type EventPattern = EventType | (string & {})

/** The name of a collection of records. */
export type CollectionName = 'accounts' | 'keys' | 'plants' | 'apps' | 'users' | 'conversations' | 'messages' | 'webhooks' | 'deliveries' | 'deployments' | 'subscriptions' | 'credits' | 'purchases'

/** Switches assumptions, by id: `{ 'plants.delete.unknown': '204' }`. */
export type AssumeEffect = { readonly [Id in keyof AssumptionValues]?: AssumptionValues[Id] | undefined }

/** Makes keys expired, revoked, unknown or missing, or takes scopes from them. Set one of expire, revoke, forget, lose, scopes and without. */
export interface KeysEffect extends EffectConditions {
  /** The keys expire this long after the scenario is switched on: 10m. */
  readonly expire?: string | number | undefined
  /** The keys are revoked. */
  readonly revoke?: true | undefined
  /** The service does not know the keys. */
  readonly forget?: true | undefined
  /** Requests are answered as if they carried no key. */
  readonly lose?: true | undefined
  /** The only scopes that the keys keep. */
  readonly scopes?: readonly ('apps:read' | 'apps:write' | 'analytics:read' | 'webhooks:read' | 'webhooks:write' | 'deployments:read' | 'deployments:write' | 'payments:read' | 'payments:write' | 'plants:read' | 'plants:write')[] | undefined
  /** The scope that the keys lose. */
  readonly without?: 'apps:read' | 'apps:write' | 'analytics:read' | 'webhooks:read' | 'webhooks:write' | 'deployments:read' | 'deployments:write' | 'payments:read' | 'payments:write' | 'plants:read' | 'plants:write' | undefined
}

/** Sets how many requests are left in a rate-limit window. The window begins with the first request that meets it. */
export interface QuotaEffect extends EffectConditions {
  /** Which limit: per minute or per day. */
  readonly window: 'minute' | 'day'
  /** How many requests are left; 0 by default. */
  readonly remaining?: number | undefined
  /** Whether it ends when the window resets, which is the default, or when the scenario is cleared. */
  readonly until?: 'reset' | 'cleared' | undefined
}

/** Puts accounts on another plan. */
export interface AccountEffect extends EffectConditions {
  /** The plan that they are on. */
  readonly plan: 'free' | 'lite' | 'pro' | 'pro_plus'
}

/** Changes which records requests see: none, or many more. */
export interface RecordsEffect extends EffectConditions {
  /** The collection: plants, apps and so on. */
  readonly collection: CollectionName
  /** none: the collection is empty. */
  readonly keep?: 'none' | undefined
  /** How many records to add for each account. */
  readonly add?: number | undefined
}

/** Sends a fixed reply. The key is not checked, and the operation does not run. */
export interface RespondEffect extends EffectConditions {
  /** An error code. The body has the area's error shape. */
  readonly error?: 'invalid_request' | 'idempotency_key_reused' | 'payment_declined' | 'duplicate_id' | 'missing_api_key' | 'invalid_api_key' | 'insufficient_permissions' | 'insufficient_credits' | 'not_found' | 'method_not_allowed' | 'payload_too_large' | 'unsupported_encoding' | 'unsupported_media_type' | 'rate_limit_exceeded' | 'internal_error' | undefined
  /** The message of the error. */
  readonly message?: string | undefined
  /** The status. Beside an error, it replaces the status of the error. */
  readonly status?: number | undefined
  /** Headers by name; they replace headers of the same name. */
  readonly headers?: Readonly<Record<string, string | number>> | undefined
  /** A JSON body. */
  readonly body?: unknown
  /** A text body, sent unchanged. */
  readonly text?: string | undefined
  /** Whether a proxy in front of the service answers, without the headers of the service. */
  readonly in_front?: boolean | undefined
}

/** Makes a value of the reply wrong. Select it by JSON pointer (at) or by name (field). */
export interface MalformEffect extends EffectConditions {
  /** A JSON pointer to the value: /0/name. */
  readonly at?: string | undefined
  /** The name of the field in the contract: name, or data.name. It is wrong everywhere; in a list, in the first item. */
  readonly field?: string | undefined
  /** What is wrong with the value. */
  readonly kind: 'missing' | 'null' | 'wrong-type' | 'empty' | 'huge' | 'extra' | 'bad-enum' | 'out-of-range' | 'bad-utf8' | 'duplicate'
  /** Whether to refuse missing and empty where the reply stays legal: false by default. */
  readonly breaks?: boolean | undefined
}

/** Makes sending the reply go wrong: delays, resets, cut bodies. */
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

/** The service's clock is wrong: `Date`, `X-RateLimit-Reset` and all times in the body are moved. */
export interface ClockSkewFault extends EffectConditions {
  readonly kind: 'clock-skew'
  /** How far: 1h, or -90s. */
  readonly by: string | number
}

/** The reply is delayed until the world's clock or the machine's has moved on that far, so `world.clock.advance('2s')` skips it. Delays add up, to a day at most. Set one of fixed, uniform and lognormal. */
export interface DelayFault extends EffectConditions {
  readonly kind: 'delay'
  /** A fixed length: 800ms. */
  readonly fixed?: string | number | undefined
  /** A random length between min and max: { min: 100ms, max: 2s }. */
  readonly uniform?: {
    /** The shortest delay. */
    readonly min: string | number
    /** The longest delay. */
    readonly max: string | number
  } | undefined
  /** A random length near the median, with a long tail. A larger sigma makes the tail longer: { median: 200ms, sigma: 1, max: 10s }. */
  readonly lognormal?: {
    /** Half of the delays are shorter. */
    readonly median: string | number
    /** How much delays vary: 0 not at all, 1 a lot. */
    readonly sigma: number
    /** The longest delay. */
    readonly max?: string | number | undefined
  } | undefined
}

/** The body is sent slowly. */
export interface DripFault extends EffectConditions {
  readonly kind: 'drip'
  /** How many bytes a second. */
  readonly bytes_per_second: number
}

/** The connection is closed normally, before a single byte is sent. */
export interface EmptyReplyFault extends EffectConditions {
  readonly kind: 'empty-reply'
  /** What is lost: the request, before the operation runs (the default), or the reply, after it ran. */
  readonly loses?: 'request' | 'reply' | undefined
}

/** The server sends bytes that are not HTTP, then closes the connection. */
export interface GarbageFault extends EffectConditions {
  readonly kind: 'garbage'
  /** How many bytes; 64 by default. */
  readonly bytes?: number | undefined
  /** What is lost: the request, before the operation runs (the default), or the reply, after it ran. */
  readonly loses?: 'request' | 'reply' | undefined
}

/** Headers are set, left out, or sent twice. */
export interface HeadersFault extends EffectConditions {
  readonly kind: 'headers'
  /** Headers by name: { Name: value }. */
  readonly set?: Readonly<Record<string, string | number>> | undefined
  /** Names of headers to leave out: [Name]. */
  readonly remove?: readonly string[] | undefined
  /** Names of headers to send twice: [Name]. */
  readonly repeat?: readonly string[] | undefined
}

/** The request fails without a reply, through every adapter. */
export interface NetworkErrorFault extends EffectConditions {
  readonly kind: 'network-error'
  /** What is lost: the request, before the operation runs (the default), or the reply, after it ran. */
  readonly loses?: 'request' | 'reply' | undefined
}

/** The connection is reset (TCP RST) in place of a reply. */
export interface ResetFault extends EffectConditions {
  readonly kind: 'reset'
  /** What is lost: the request, before the operation runs (the default), or the reply, after it ran. */
  readonly loses?: 'request' | 'reply' | undefined
}

/** A GET gets an old reply: the first one that the same caller got since the scenario was switched on, with an `Age` header. */
export interface StaleFault extends EffectConditions {
  readonly kind: 'stale'
}

/** A stream of server-sent events breaks, stalls or is slow. Other replies stay as they are. */
export interface StreamFault extends EffectConditions {
  readonly kind: 'stream'
  /** What happens after the first events: the connection is cut, no more events come, or an error event ends the stream. */
  readonly fails?: 'break' | 'stall' | 'error' | undefined
  /** How many events come first; 0 by default. A stream with no more events than that stays whole. */
  readonly events?: number | undefined
  /** How long a stall lasts: a duration up to 1d, or ever, the default. */
  readonly for?: string | number | undefined
  /** The code of the error event; internal_error by default. */
  readonly error?: 'invalid_request' | 'idempotency_key_reused' | 'payment_declined' | 'duplicate_id' | 'missing_api_key' | 'invalid_api_key' | 'insufficient_permissions' | 'insufficient_credits' | 'not_found' | 'method_not_allowed' | 'payload_too_large' | 'unsupported_encoding' | 'unsupported_media_type' | 'rate_limit_exceeded' | 'internal_error' | undefined
  /** The message of the error event. */
  readonly message?: string | undefined
  /** How many events are sent per second; each event of an answer has one word. */
  readonly words_per_second?: number | undefined
}

/** No reply arrives; the connection stays open until the client gives up. */
export interface TimeoutFault extends EffectConditions {
  readonly kind: 'timeout'
  /** What is lost: the request, before the operation runs (the default), or the reply, after it ran. */
  readonly loses?: 'request' | 'reply' | undefined
}

/** The body ends too early. */
export interface TruncateFault extends EffectConditions {
  readonly kind: 'truncate'
  /** After how many bytes. */
  readonly at: number
  /** honest: Content-Length is the cut length. lying: it is the full length, and the connection closes in mid-body. */
  readonly content_length?: 'honest' | 'lying' | undefined
}

/** Makes webhook deliveries go wrong: late, lost, or sent twice. */
export interface DeliverEffect extends EffectLimits {
  /** What goes wrong. */
  readonly kind: 'duplicate' | 'late' | 'out-of-order' | 'stale-timestamp' | 'bad-signature' | 'lost'
  /** Which events: a type (plant.created), a glob (app.*), or a list of them. All by default. */
  readonly events?: EventPattern | readonly EventPattern[] | undefined
  /** How late the delivery or how old its timestamp is: 1h. */
  readonly by?: string | number | undefined
}

/** Makes the payment provider refuse payments. The result is stored. Each account has its own count. */
export interface PaymentsEffect extends EffectLimits {
  /** Which payments: purchase (of credits), upgrade (to a plan that costs more), renewal (of a subscription), or a list of them. */
  readonly charge: 'purchase' | 'upgrade' | 'renewal' | readonly ('purchase' | 'upgrade' | 'renewal')[]
  /** declined, the default: refused at once. fails-later: a purchase is pending first, then it fails. */
  readonly outcome?: 'declined' | 'fails-later' | undefined
  /** Whose payments: accounts that match every given field. All by default. */
  readonly where?: {
    /** The plan that the account is on. */
    readonly plan?: 'any' | 'free' | 'lite' | 'pro' | 'pro_plus' | undefined
    /** The id of the account. */
    readonly account?: string | undefined
  } | undefined
}
