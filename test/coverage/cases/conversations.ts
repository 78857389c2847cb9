import { waysOf } from '../refusals.ts'
import { changed, created, deleted, sound, together, when, withBody, withQuery, type Cases, type Way } from '../ways.ts'

const badConversations = [
  { user: { email: 'nobody' } },
  { user_id: 'usr_aaaaaaaaaaaaaaaa' },
  { platform: 'fax' },
  { user_id: '' },
  { user_id: 'usr_aaaaaaaaaaaaaaaa', user: { email: 'a@example.com' } },
]
const badMessages = [{}, { content: '' }, { content: 7 }, { content: 'x', stream: 'yes' }]

/** A request about a conversation that has ended. */
function ended(id: string): Way {
  return changed(id, 'a conversation that has ended', async (sent, call) => {
    await call('POST', sent[1].replace(/(\/conversations\/[^/]+).*$/, '$1/end'))
    return sent
  })
}

export const conversations: Cases = {
  ...waysOf('conversations.list', {
    200: [sound('conversations.list')],
    400: ['status=open', 'from=x', 'from=2026-03-02&to=2026-03-01', 'user_id='].map((query) =>
      withQuery('conversations.list', query),
    ),
  }),
  ...waysOf(
    'conversations.create',
    together(created('conversations.create'), {
      400: badConversations.map((body) => withBody('conversations.create', body)),
    }),
  ),
  ...waysOf('conversations.get', { 200: [sound('conversations.get')] }),
  ...waysOf('conversations.end', { 200: [sound('conversations.end')], 400: [ended('conversations.end')] }),
  ...waysOf('conversations.delete', deleted('conversations.delete')),
  ...waysOf('messages.get', { 200: [sound('messages.get')] }),
  ...waysOf('messages.list', { 200: [sound('messages.list')], 400: [withQuery('messages.list', 'role=system')] }),
  ...waysOf(
    'messages.create',
    together(created('messages.create'), {
      200: [withBody('messages.create', { content: 'Hello', stream: true })],
      400: [...badMessages.map((body) => withBody('messages.create', body)), ended('messages.create')],
      403: [when('messages.create', 'no credits left', (world) => world.records.credits.replace([]))],
    }),
  ),
}
