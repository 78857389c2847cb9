import { callback, section, type RulesFor } from '../../core/definitions/options.ts'
import { printFailure, reportRejection } from '../../core/definitions/reason.ts'
import { splitWorld } from '../../core/pipeline/world-address.ts'
import { onCommit } from '../../core/store/transaction.ts'
import type { GreenhouseHooks, JoinedHooks } from '../hooks.ts'

const hookRules: RulesFor<GreenhouseHooks> = {
  onRequest: callback('a function that gets a request'),
  onReply: callback('a function that gets an entry of the journal'),
  onEvent: callback('a function that gets an event'),
  onWorld: callback('a function that gets a change of a world'),
}

export const hooksRule = section(hookRules)

export function joinHooks(all: readonly GreenhouseHooks[]): JoinedHooks {
  const onRequest = join(all, 'onRequest')
  const onEvent = join(all, 'onEvent')
  const onWorld = join(all, 'onWorld')
  return {
    onRequest:
      onRequest &&
      (({ world, request }) => {
        const { path } = splitWorld(request.path)
        const { method, search, headers } = request
        onRequest({ world: world.name, method, path: search === '' ? path : `${path}?${search}`, headers })
      }),
    onReply: join(all, 'onReply'),
    // An event that a handler takes back did not happen.
    onEvent: onEvent && (({ name }, event) => onCommit(() => onEvent({ world: name, ...event }))),
    onWorld:
      onWorld &&
      ((change) => {
        if (change.type === 'world') onWorld({ world: change.world, change: change.change })
      }),
  }
}

function join<Name extends keyof GreenhouseHooks>(
  all: readonly GreenhouseHooks[],
  name: Name,
): ((about: Parameters<NonNullable<GreenhouseHooks[Name]>>[0]) => void) | undefined {
  const having = all.filter((hooks) => hooks[name] !== undefined)
  if (having.length === 0) return undefined
  return (about) => {
    for (const hooks of having)
      try {
        reportRejection(`The hook ${name} failed:`, hooks[name]!(about as never))
      } catch (error) {
        printFailure(`The hook ${name} failed:`, error)
      }
  }
}
