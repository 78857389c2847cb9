import type { Read } from '../store.ts'
import { app, header, replies, type Mistakes } from './how.ts'

const isAppList = ({ method, path }: Read) => method === 'GET' && path === '/v1/apps'

/** Mistakes of app management. */
export const appMistakes: Mistakes = {
  'sends apps as text/html': [
    'apps.json',
    replies('apps', (reply) => ({ ...reply, headers: { ...reply.headers, 'content-type': 'text/html' } })),
  ],
  'lists apps without a key': [
    'apps.auth.missing',
    app((read, store) => (isAppList(read) && read.authorization === undefined ? store.json(200, []) : undefined)),
  ],
  'shows everybody an app of a third caller': [
    'apps.list.own',
    app((read, store) =>
      isAppList(read) && read.owner ? store.json(200, [{ id: `app_of_${read.owner}` }, { id: 'app_17' }]) : undefined,
    ),
  ],
  'refuses a wrong key of apps with 403': [
    'apps.auth.invalid',
    app((read, store) =>
      isAppList(read) && read.authorization?.startsWith('Bearer greenhouse')
        ? store.refuseApp(403, 'invalid_api_key')
        : undefined,
    ),
  ],
  'calls an invalid key bad_key': [
    'apps.auth.invalid-code',
    app((read, store) =>
      read.authorization?.startsWith('Bearer greenhouse') ? store.refuseApp(401, 'bad_key') : undefined,
    ),
  ],
  'answers what does not exist with 400': [
    'apps.status.404',
    app((read, store) =>
      read.method === 'GET' && read.path.startsWith('/v1/apps/') ? store.refuseApp(400, 'not_found') : undefined,
    ),
  ],
  'answers 405': [
    'apps.errors.status',
    app((read, store) => (read.method === 'PATCH' ? store.refuseApp(405, 'no_such_method') : undefined)),
  ],
  'leaves request_id out': [
    'apps.errors.request-id',
    (store) => ({ refuseApp: (status, code) => store.json(status, { error: { code, message: 'No.' } }) }),
  ],
  'leaves the limit out of a 401': [
    'apps.headers.limit',
    header('x-ratelimit-limit', (value, { owner }) => (owner === undefined ? undefined : value)),
  ],
  'leaves what is left out of a 401': [
    'apps.headers.remaining',
    header('x-ratelimit-remaining', (value, { owner }) => (owner === undefined ? undefined : value)),
  ],
  'leaves the reset out of a 401': [
    'apps.headers.reset',
    header('x-ratelimit-reset', (value, { owner }) => (owner === undefined ? undefined : value)),
  ],
  'leaves the limit out of the first reply': [
    'apps.headers.limit',
    (() => {
      let count = 0
      return header('x-ratelimit-limit', (value) => (++count === 1 ? undefined : value))
    })(),
  ],
  'has a limit of no plan': ['apps.headers.limit', header('x-ratelimit-limit', () => '601')],
  'tells a reset in the past': ['apps.headers.reset', header('x-ratelimit-reset', (at) => String(Number(at) - 3_600))],
  'counts a request twice': [
    'apps.limit.counts',
    header('x-ratelimit-remaining', (left, { owner }) => (owner ? String(600 - 2 * (600 - Number(left))) : left)),
  ],
}
