import { type Answer, type Client, toInit } from '../support/test-api.ts'

/** An app of acct_pro without a login. */
export const openApp = 'app_wfr4wqydlhx43ree'

/** One of acct_pro's that does. */
export const loginApp = 'app_w33c4cwmhfyfktiv'

/** Sets the balance of the caller's account. */
export function giveCredits(
  { world }: Pick<Client, 'world'>,
  balance: number,
  account = 'acct_pro',
): void {
  world.records.credits.replace([
    ...world.records.credits.all().filter((one) => one.account !== account),
    { account, purchased: balance, spent: 0 },
  ])
}

export function creditsOf({ world }: Pick<Client, 'world'>, account = 'acct_pro'): number {
  const { purchased, spent } = world.records.credits.get(account)!
  return purchased - spent
}

/** Starts a conversation with the open app and gives its path. */
export async function startConversation({
  call,
}: Pick<Client, 'call'>): Promise<{ path: string; conversation: Answer['body'] }> {
  const { body } = await call('POST', `/v1/apps/${openApp}/conversations`, { body: {} })
  return { path: `/v1/apps/${openApp}/conversations/${body.id}`, conversation: body }
}

/** Sends a message whose answer is streamed. */
export const stream = (
  { send }: Pick<Client, 'send'>,
  path: string,
  content = 'Hello',
): Promise<Response> =>
  send(`${path}/messages`, toInit('POST', { body: { content, stream: true } }))

/** The events of an event stream, as the specification of server-sent events reads them. */
export function readEvents(text: string): { event: string; data: any }[] {
  return text
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => {
      const fields = frame
        .split('\n')
        .map((line) => [
          line.slice(0, line.indexOf(':')),
          line.slice(line.indexOf(':') + 1).replace(/^ /, ''),
        ])
      return {
        event: fields.find(([name]) => name === 'event')![1]!,
        data: JSON.parse(
          fields
            .filter(([name]) => name === 'data')
            .map(([, value]) => value)
            .join('\n'),
        ),
      }
    })
}
