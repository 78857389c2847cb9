// What there is to name, for editors to complete. Written by `npx vitest run test/docs -u` from the definitions.

/** The id of an operation. */
export type OperationId =
  | 'plants.create'
  | 'plants.list'
  | 'plants.delete'
  | 'apps.list'
  | 'apps.create'
  | 'apps.get'
  | 'apps.update'
  | 'apps.delete'
  | 'users.list'
  | 'users.get'
  | 'usage.get'
  | 'usage.account'
  | 'conversations.list'
  | 'conversations.create'
  | 'conversations.get'
  | 'conversations.delete'
  | 'conversations.end'
  | 'messages.list'
  | 'messages.create'
  | 'messages.get'
  | 'webhooks.list'
  | 'webhooks.create'
  | 'webhooks.get'
  | 'webhooks.update'
  | 'webhooks.delete'
  | 'webhooks.rotate-secret'
  | 'webhooks.test'
  | 'deliveries.list'
  | 'deliveries.get'
  | 'deliveries.redeliver'
  | 'deployments.list'
  | 'deployments.create'
  | 'deployments.get'
  | 'deployments.update'
  | 'deployments.delete'
  | 'deployments.verify'
  | 'plans.list'
  | 'plans.get'
  | 'subscription.get'
  | 'subscription.update'
  | 'subscription.cancel'
  | 'credits.get'
  | 'purchases.list'
  | 'purchases.create'
  | 'purchases.get'
  | 'account.get'

/** Which operations: an id, or a glob such as `plants.*`. */
export type OperationPattern = OperationId | `${string}*${string}`

/** The values that an assumption can have, by its id; the first is the default. */
export interface AssumptionValues {
  readonly 'plants.list.limit-name': 'limit' | 'max' | 'count' | 'per_page'
  readonly 'plants.list.limit-default': 'all' | '20' | '100'
  readonly 'plants.list.limit-invalid': '400' | 'ignore'
  readonly 'plants.list.limit-zero': 'empty' | 'all' | '400'
  readonly 'plants.list.order': 'created' | 'newest' | 'id'
  readonly 'plants.unknown-query': 'ignore' | 'reject'
  readonly 'plants.create.duplicate-id': '400' | '409' | 'replace'
  readonly 'plants.create.unknown-fields': 'ignore' | 'reject' | 'keep'
  readonly 'plants.create.id-range': 'any' | 'positive'
  readonly 'plants.name.length': 'any' | '1-255'
  readonly 'plants.body.includes-id': 'no' | 'yes'
  readonly 'plants.delete.status': '204' | '200'
  readonly 'plants.delete.unknown': '404' | '400' | '204'
  readonly 'plants.delete.invalid-id': '400' | '404'
  readonly 'plants.delete.foreign': '404' | '403'
  readonly 'plants.error-code': 'status' | 'numbered'
  readonly 'plants.rate-limits': 'off' | 'on'
  readonly 'plants.webhook': 'on' | 'off'
  readonly 'plants.unknown-method': '404' | '405'
  readonly 'plants.body.too-large': '413' | '400'
  readonly 'plants.body.encoding': '415' | '400'
  readonly 'plants.body.type': '400' | '415'
  readonly 'rate-limit.reset-unit': 'epoch-seconds' | 'delta-seconds' | 'epoch-milliseconds' | 'iso-8601'
  readonly 'rate-limit.window': 'calendar' | 'first-request' | 'sliding'
  readonly 'rate-limit.reported': 'tightest' | 'minute' | 'day'
  readonly 'rate-limit.scope': 'account' | 'key'
  readonly 'rate-limit.rejected': 'free' | 'counted'
  readonly 'rate-limit.unauthenticated': 'free-plan' | 'absent'
  readonly 'rate-limit.retry-after': 'sent' | 'absent'
  readonly 'auth.scheme-case': 'any' | 'exact'
  readonly 'auth.missing-code': 'missing_api_key' | 'invalid_api_key'
  readonly 'auth.expired-code': 'invalid_api_key'
  readonly 'errors.codes': 'snake-case'
  readonly 'errors.request-id-header': 'sent' | 'absent'
  readonly 'http.date': 'world' | 'machine' | 'absent'
  readonly 'http.head': 'as-get' | '404'
  readonly 'apps.list.shape': 'data' | 'array'
  readonly 'apps.create.status': '201' | '200'
  readonly 'apps.delete.status': '204' | '200'
  readonly 'apps.unknown-fields': 'ignore' | 'reject'
  readonly 'apps.unknown-query': 'ignore' | 'reject'
  readonly 'apps.text-length': '16384' | '1000'
  readonly 'usage.messages': 'both' | 'user'
  readonly 'messages.stream.status': '200' | '201'
  readonly 'messages.no-credits': '403' | '400'
  readonly 'webhooks.signature': 'standard-webhooks' | 'none'
  readonly 'webhooks.timestamp': 'sent' | 'due' | 'real'
  readonly 'webhooks.retries': 'standard' | 'fast' | 'none'
  readonly 'webhooks.timeout': '15s' | '1s' | '5s' | '30s'
  readonly 'webhooks.rotation-overlap': '24h' | '1h' | 'none'
  readonly 'webhooks.gone': 'disable' | 'retry'
  readonly 'deployments.dns': 'verified' | 'pending' | 'after-1h'
  readonly 'deployments.certificate': '30s' | 'instant' | 'fails'
  readonly 'payments.settle': '3s' | 'instant' | '1h'
  readonly 'payments.renewal-retries': 'standard' | 'none'
  readonly 'payments.unpaid': 'cancel' | 'past_due'
  readonly 'payments.period': '30d' | 'month'
}

/** The options of the scenarios that come along, by the scenario's name. */
export interface BundledScenarios {
  readonly 'bad-request': { 'on'?: OperationPattern; 'message'?: string; 'operation'?: OperationPattern }
  readonly 'captive-portal': { 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'certificate-fails': {}
  readonly 'clock-skew': { 'by'?: string }
  readonly 'connection-reset': { 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'connection-reset-after-write': { 'on'?: OperationPattern; 'times'?: number; 'operation'?: OperationPattern }
  readonly 'deployment-dns-never-found': {}
  readonly 'drip': { 'bytes-per-second'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'duplicate-ids': {}
  readonly 'duplicated-headers': { 'header'?: string; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'empty-body': { 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'empty-reply': { 'on'?: OperationPattern; 'loses'?: 'request' | 'reply'; 'operation'?: OperationPattern }
  readonly 'empty-store': {}
  readonly 'error-without-body': { 'status'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'every-third-fails': { 'every'?: number; 'on'?: OperationPattern; 'error'?: string; 'operation'?: OperationPattern }
  readonly 'expired-key': { 'key'?: string; 'after'?: string | number }
  readonly 'fails-after': { 'after'?: number; 'on'?: OperationPattern; 'error'?: string; 'operation'?: OperationPattern }
  readonly 'first-write-lost': { 'on'?: OperationPattern; 'loses'?: 'reply' | 'request'; 'times'?: number; 'operation'?: OperationPattern }
  readonly 'flaky': { 'failures'?: number; 'on'?: OperationPattern; 'error'?: string; 'operation'?: OperationPattern }
  readonly 'flaky-network': { 'failures'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'forbidden': { 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'garbage': { 'bytes'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'huge-store': { 'count'?: number }
  readonly 'invalid-key': { 'key'?: string; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'invalid-utf8': { 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'jittery': { 'min-ms'?: number; 'max-ms'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'key-expires-mid-session': { 'key'?: string; 'after'?: string | number }
  readonly 'legacy-rate-limit-headers': { 'unit'?: 'delta-seconds' | 'epoch-milliseconds' | 'iso-8601' }
  readonly 'long-tail': { 'median-ms'?: number; 'sigma'?: number; 'max-ms'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'maintenance': { 'retry-after'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'malformed-error-body': { 'body'?: '{"error":' | 'Internal Server Error' | 'null' | '[]' | '{}' | '"failed"' | '{"error":null}' | '{"error":"failed"}' | '{"error":{}}' | '{"error":{"code":500}}' | '{"message":["failed"]}'; 'status'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'malformed-plant': { 'item'?: number; 'field'?: 'name' | 'tag'; 'kind'?: 'wrong-type' | 'null' | 'missing' | 'empty' | 'huge' | 'extra' }
  readonly 'malformed-reply': { 'on'?: OperationPattern; 'at'?: string; 'kind'?: 'missing' | 'null' | 'wrong-type' | 'empty' | 'huge' | 'extra' | 'bad-enum' | 'out-of-range' | 'bad-utf8' | 'duplicate'; 'operation'?: OperationPattern }
  readonly 'missing-content-type': { 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'missing-key': { 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'missing-scope': { 'scope'?: 'apps:read' | 'apps:write' | 'analytics:read' | 'webhooks:read' | 'webhooks:write' | 'deployments:read' | 'deployments:write' | 'payments:read' | 'payments:write' | 'plants:read' | 'plants:write'; 'key'?: string }
  readonly 'network-error': { 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'no-rate-limit-headers': {}
  readonly 'not-found': { 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'plan-downgrade': { 'plan'?: 'free' | 'lite' | 'pro'; 'account'?: string }
  readonly 'plan-upgrade': { 'plan'?: 'lite' | 'pro' | 'pro_plus'; 'account'?: string }
  readonly 'proxy-error-page': { 'status'?: 502 | 503 | 504; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'purchase-declined': { 'account'?: string; 'failures'?: number }
  readonly 'purchase-fails': { 'account'?: string; 'failures'?: number }
  readonly 'random-failures': { 'probability'?: number; 'on'?: OperationPattern; 'error'?: string; 'operation'?: OperationPattern }
  readonly 'rate-limit-mid-pagination': { 'pages'?: number }
  readonly 'rate-limit-nearly-reached': { 'remaining'?: number; 'until'?: 'reset' | 'cleared' }
  readonly 'rate-limited-day': { 'plan'?: 'any' | 'free' | 'lite' | 'pro' | 'pro_plus'; 'until'?: 'reset' | 'cleared' }
  readonly 'rate-limited-minute': { 'plan'?: 'any' | 'free' | 'lite' | 'pro' | 'pro_plus'; 'until'?: 'reset' | 'cleared' }
  readonly 'rate-limited-plan': { 'window'?: 'minute' | 'day'; 'plan'?: 'any' | 'free' | 'lite' | 'pro' | 'pro_plus'; 'remaining'?: number; 'until'?: 'reset' | 'cleared' }
  readonly 'read-only-key': {}
  readonly 'renewal-fails': { 'account'?: string; 'failures'?: number }
  readonly 'revoked-key': { 'key'?: string; 'after'?: number }
  readonly 'server-error': { 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'slow': { 'ms'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'slow-then-fails': { 'ms'?: number; 'on'?: OperationPattern; 'error'?: string; 'operation'?: OperationPattern }
  readonly 'stale-replies': { 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'stream-breaks': { 'events'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'stream-error-event': { 'events'?: number; 'error'?: string; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'stream-slow': { 'words-per-second'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'stream-stalls': { 'for'?: string; 'events'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'strict-service': {}
  readonly 'timeout': { 'on'?: OperationPattern; 'loses'?: 'request' | 'reply'; 'operation'?: OperationPattern }
  readonly 'truncated-body': { 'bytes'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'truncated-json': { 'bytes'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'upgrade-declined': { 'account'?: string }
  readonly 'very-slow': { 'ms'?: number; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'webhook-bad-signature': { 'events'?: string }
  readonly 'webhook-duplicate': { 'events'?: string; 'by'?: string | number }
  readonly 'webhook-late': { 'events'?: string; 'by'?: string | number }
  readonly 'webhook-lost': { 'events'?: string }
  readonly 'webhook-out-of-order': { 'events'?: string; 'by'?: string | number }
  readonly 'webhook-stale-timestamp': { 'events'?: string; 'by'?: string | number }
  readonly 'wrong-content-type': { 'type'?: string; 'on'?: OperationPattern; 'operation'?: OperationPattern }
  readonly 'wrong-rate-limit-headers': {}
}
