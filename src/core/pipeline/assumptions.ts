import { defineAssumptions } from '../contract/assumptions.ts'

export const coreAssumptions = defineAssumptions({
  'rate-limit.reset-unit': {
    question: 'The unit of X-RateLimit-Reset',
    values: ['epoch-seconds', 'delta-seconds', 'epoch-milliseconds', 'iso-8601'],
    source: 'published',
  },
  'rate-limit.window': {
    question:
      'How the windows run: by the calendar minute and UTC day, from the first request, or over the last minute and day',
    values: ['calendar', 'first-request', 'sliding'],
    source: 'ours',
  },
  'rate-limit.reported': {
    question:
      'Which window the headers describe; tightest is the one with the fewest requests left, the minute on a tie',
    values: ['tightest', 'minute', 'day'],
    source: 'published',
  },
  'rate-limit.scope': { question: 'Who shares a quota', values: ['account', 'key'], source: 'ours' },
  'rate-limit.rejected': {
    question: 'Whether a 429 counts against the quota',
    values: ['free', 'counted'],
    source: 'convention',
  },
  'rate-limit.unauthenticated': {
    question: "The rate-limit headers of a 401; free-plan shows the Free plan's numbers with nothing spent",
    values: ['free-plan', 'absent'],
    source: 'stated',
  },
  'rate-limit.retry-after': {
    question: 'Whether a 429 carries Retry-After, in seconds',
    values: ['sent', 'absent'],
    source: 'convention',
  },
  'auth.scheme-case': {
    question: 'Whether the scheme Bearer may be in any letter case',
    values: ['any', 'exact'],
    source: 'convention',
  },
  'auth.missing-code': {
    question: 'error.code when there is no key',
    values: ['missing_api_key', 'invalid_api_key'],
    source: 'ours',
  },
  'auth.expired-code': { question: 'error.code of an expired key', values: ['invalid_api_key'], source: 'stated' },
  'errors.codes': {
    question:
      'The other values of error.code: invalid_request 400, insufficient_permissions 403, not_found 404, rate_limit_exceeded 429, internal_error 500',
    values: ['snake-case'],
    source: 'convention',
  },
  'errors.request-id-header': {
    question: 'Whether every Area B reply carries X-Request-Id, equal to error.request_id',
    values: ['sent', 'absent'],
    source: 'convention',
  },
  'http.date': {
    question: "What the header Date shows: the time of the world, the machine's time, or no header",
    values: ['world', 'machine', 'absent'],
    source: 'ours',
  },
  'http.head': {
    question: 'How HEAD on a path that has GET is answered',
    values: ['as-get', '404'],
    source: 'convention',
  },
  'http.unknown-path': {
    question:
      'How a path or a method that does not exist is answered: with 404 whatever the key, and no quota is spent, or only after the key and the quota are checked, as for all others',
    values: ['404-first', 'checked'],
    source: 'ours',
  },
})
