import { convention, type Assumptions, ours, published, stated } from '../contract/assumptions.ts'

export const coreAssumptions: Assumptions = {
  'rate-limit.reset-unit': published('The unit of X-RateLimit-Reset', [
    'epoch-seconds',
    'delta-seconds',
    'epoch-milliseconds',
    'iso-8601',
  ]),
  'rate-limit.window': ours(
    'How the windows run: by the calendar minute and UTC day, from the first request, or over the last minute and day',
    ['calendar', 'first-request', 'sliding'],
  ),
  'rate-limit.reported': published(
    'Which window the headers describe; tightest is the one with the fewest requests left, the minute on a tie',
    ['tightest', 'minute', 'day'],
  ),
  'rate-limit.scope': ours('Who shares a quota', ['account', 'key']),
  'rate-limit.rejected': convention('Whether a 429 counts against the quota', ['free', 'counted']),
  'rate-limit.unauthenticated': stated(
    "The rate-limit headers of a 401; free-plan shows the Free plan's numbers with nothing spent",
    ['free-plan', 'absent'],
  ),
  'rate-limit.retry-after': convention('Whether a 429 carries Retry-After, in seconds', [
    'sent',
    'absent',
  ]),
  'auth.scheme-case': convention('Whether the scheme Bearer may be in any letter case', [
    'any',
    'exact',
  ]),
  'auth.missing-code': ours('error.code when there is no key', [
    'missing_api_key',
    'invalid_api_key',
  ]),
  'auth.expired-code': stated('error.code of an expired key', ['invalid_api_key']),
  'errors.codes': convention(
    'The other values of error.code: invalid_request 400, insufficient_permissions 403, not_found 404, rate_limit_exceeded 429, internal_error 500',
    ['snake-case'],
  ),
  'errors.request-id-header': convention(
    'Whether every Area B reply carries X-Request-Id, equal to error.request_id',
    ['sent', 'absent'],
  ),
  'http.date': ours(
    "What the header Date shows: the time of the world, the machine's time, or no header",
    ['world', 'machine', 'absent'],
  ),
  'http.head': convention('How HEAD on a path that has GET is answered', ['as-get', '404']),
  'http.unknown-path': ours(
    'How a path or a method that does not exist is answered: with 404 whatever the key, and no quota is spent, or only after the key and the quota are checked, as for all others',
    ['404-first', 'checked'],
  ),
}
