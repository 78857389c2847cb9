import { worldName, worldNameRule } from '../http/urls.ts'
import { toControlError } from '../contract/errors.ts'
import { briefMessage, quote } from '../text/messages.ts'
import { jsonReply, type Reply } from '../http/reply.ts'
import { headerOf, type ServiceRequest } from '../http/request.ts'
import { UnsupportedFaultError } from '../world/effective-settings.ts'
import { TooManyScenariosError } from '../world/scenario-choice.ts'
import type { LiveWorld } from '../world/live-world.ts'
import { ClosedError, SecretNameError } from '../world/worlds.ts'
import { Exchange } from './exchange.ts'
import { readAddress } from '../http/address.ts'
import { findArea } from './router.ts'
import type { Service } from './service.ts'
import { finishOutside } from './finish-reply.ts'
import { traceHeader } from './trace.ts'

/**
 * Returns the exchange of a request with its world, its scenarios and its area, or why there is
 * none.
 */
export function openExchange(
  service: Service,
  request: ServiceRequest,
): Exchange | RejectedOpening {
  // The world is named by the path, by a header, or by the end of the key.
  const { world: named, path, secret } = readAddress(request)
  if (named === undefined && service.onWorldless) {
    service.onWorldless(request)
    return rejected(
      400,
      'world_required',
      'Failed to find a world: the request names none. Name one in the base URL (/~WORLD/…), in the header X-Greenhouse-World, or in the key (key_pro@WORLD).',
    )
  }
  if (named !== undefined && !worldName.test(named))
    return rejected(
      400,
      'invalid_world',
      `Failed to find the world ${quote(named)}: a name is ${worldNameRule}`,
    )
  const absent = service.explainMissingArea(path)
  if (absent !== undefined) return rejected(404, 'missing_area', absent)
  // A name that is used for the first time creates its world.
  let world: LiveWorld
  try {
    world = service.worlds.get(named ?? 'default')
  } catch (error) {
    const { message } = error as Error
    if (error instanceof ClosedError) return rejected(503, 'greenhouse_closed', message)
    if (error instanceof SecretNameError) return rejected(400, 'invalid_world', message)
    return rejected(409, 'world_dropped', message)
  }
  // The world's scenarios apply, and for this request those of its header.
  let effectiveSettings = world.effectiveSettings
  const wanted = headerOf(request, 'x-greenhouse-scenario')
  if (wanted !== undefined) {
    try {
      effectiveSettings = world.scenarios.settingsUnder(wanted)
    } catch (error) {
      return rejected(400, toScenarioCode(error), (error as Error).message, world.name)
    }
  }
  // The area is the one whose base begins the path.
  const { area, router } = findArea(service.areas, path)
  const target = {
    area,
    router,
    path: path.slice(area.base.length),
    secret,
  }
  return new Exchange(world, request, target, effectiveSettings)
}

function toScenarioCode(error: unknown): string {
  if (error instanceof UnsupportedFaultError) return 'unsupported_fault'
  if (error instanceof TooManyScenariosError) return 'too_many_scenarios'
  return 'unknown_scenario'
}

/** Why a request has no exchange. */
interface RejectedOpening {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly world: string | undefined
}

function rejected(status: number, code: string, message: string, world?: string): RejectedOpening {
  return {
    status,
    code,
    message,
    world,
  }
}

/** Refuses a request, and reports it to the log: no journal records it. */
export function reject(
  service: Service,
  request: ServiceRequest,
  { status, code, message, world }: RejectedOpening,
): Reply {
  const reason = briefMessage(message)
  service.notify({
    event: 'refused',
    code,
    request,
    status,
    reason,
  })
  const reply = jsonReply(status, toControlError(code, service.redact(message)))
  if (world !== undefined && service.trace) reply.headers[traceHeader] = `world=${world}`
  return finishOutside(service, request, reply)
}
