import { codedError } from '../core/text/error-codes.ts'
import { ApiError, type ErrorCode } from '../core/contract/errors.ts'
import { noReply, type Reply } from '../core/http/reply.ts'
import type { ServiceRequest } from '../core/http/request.ts'
import { rejectByScenario } from '../core/pipeline/quota.ts'
import { answerWithEffects, attachRecord } from '../core/pipeline/dispatch.ts'
import { answerWithError } from '../core/pipeline/error-reply.ts'
import type { Front } from '../core/pipeline/service.ts'
import type { Exchange } from '../core/pipeline/exchange.ts'
import { matchPath } from '../core/pipeline/router.ts'
import { matchEffects, respond } from '../core/pipeline/scenario-runner.ts'
import { rejectViolations } from '../core/pipeline/validate/index.ts'
import { knownFilter } from '../core/text/messages.ts'
import {
  type ProxyAnswer,
  type Context,
  type Shown,
  type Target,
  type Base,
  type Forwarded,
  isRead,
  type ProxyOptions,
  TargetFailure,
} from './message.ts'
import { changesBody, clientLeft, joinExplanations, pass } from './pass.ts'

/** The parts of a Greenhouse that a proxy needs. */
export interface Fronting {
  readonly bodyLimit: number
  operations(): readonly {
    readonly id: string
    readonly path: string
  }[]
  /** @param origins the services that answer everything: what only the mock can do is refused. */
  answerThrough(front: Front, origins: readonly string[]): () => void
}

/** Lets a Greenhouse answer from a real service. Returns a function that ends this. */
export function attach(
  greenhouse: Fronting,
  { only, fallback, plants, apps, timeout = longestRead }: ProxyOptions,
  bases: readonly Base[],
  target: Target,
): () => void {
  if (only?.length === 0)
    throw codedError(
      'GREENHOUSE_INVALID_VALUE',
      'Failed to forward: the option "proxy.only" names no operation.',
    )
  const mounts = bases.map(({ mount }) => mount)
  const forwarded = greenhouse
    .operations()
    .filter(({ path }) => mounts.includes(path.startsWith('/v1/') ? '/v1' : ''))
  const ids = forwarded.map(({ id }) => id)
  const isWanted = only === undefined ? undefined : knownFilter('operation', only, ids)
  const patience = Math.min(timeout, longestRead)
  const shown: Shown = {
    accepted: new Map(),
    has: new Set(),
  }
  const known = {
    target,
    shown,
    limit: greenhouse.bodyLimit,
    fallsBack: fallback === 'mock',
    patience,
  }
  const front: Front = (service, exchange, startedAt) => {
    const { operation } = matchPath(
      exchange.router,
      exchange.request.method,
      exchange.path,
      exchange,
    )
    const base = bases.find(({ area }) => area === exchange.area.name)
    if (!base || (isWanted && !(operation && isWanted(operation.id)))) {
      acceptKey(exchange, shown)
      return undefined
    }
    service.onRequest?.(exchange)
    matchEffects(exchange, operation)
    return answerThroughProxy(
      {
        ...known,
        service,
        exchange,
        base,
      },
      startedAt,
    )
  }
  const forwardsAll =
    only === undefined && fallback === undefined && plants !== undefined && apps !== undefined
  return greenhouse.answerThrough(front, forwardsAll ? bases.map(({ origin }) => origin) : [])
}

/** How many accepted keys are known. */
const maxAccepted = 10_000

/** The mock accepts what the service accepted. */
function acceptKey(exchange: Exchange, { accepted }: Shown) {
  const { secret } = exchange
  if (secret === undefined) return
  const account = accepted.get(secret)
  if (account !== undefined) exchange.acceptedKey = { secret, account }
}

function remember({ exchange, shown }: Context, { status }: Forwarded) {
  if (status < 200 || status > 299) return
  const { secret, operation } = exchange
  if (operation) shown.has.add(operation.id)
  const { accepted } = shown
  if (secret !== undefined && !accepted.has(secret) && accepted.size < maxAccepted)
    accepted.set(secret, `acct_service_${accepted.size + 1}`)
}

async function answerThroughProxy(context: Context, startedAt: number): Promise<Reply> {
  const { exchange } = context
  const { world, request } = exchange
  const made = await forwardOrAnswer(context).catch((error: unknown): ProxyAnswer => {
    const fail = () => {
      throw error
    }
    return { reply: finishHere(context, fail) }
  })
  const { reply, shown = reply, passed } = made
  const { status, headers } = reply
  const written =
    shown === reply
      ? reply
      : {
          ...shown,
          status,
          headers,
        }
  const record = world.journal.write(exchange, written, startedAt)
  if (passed) passed.record = record
  if (exchange.delay > 0) await world.clock.wait(exchange.delay, request.signal)
  return attachRecord(reply, record)
}

function finishHere({ service, exchange }: Context, answerIt?: () => Reply): Reply {
  const { clock } = exchange.world
  clock.hold(clock.now())
  try {
    return answerWithEffects(service, exchange, answerIt)
  } finally {
    clock.release()
  }
}

const failures: Readonly<Record<TargetFailure['status'], string>> = {
  501: 'not_implemented',
  502: 'bad_gateway',
  504: 'gateway_timeout',
  508: 'loop_detected',
}

/** Scenarios speak first, and change what comes back, as they do with the mock's own replies. */
async function forwardOrAnswer(context: Context): Promise<ProxyAnswer> {
  const { target, service, exchange, base, fallsBack } = context
  const scripted = respond(exchange)
  if (scripted) return { reply: finishHere(context, () => scripted) }
  rejectByScenario(exchange)
  if (service.strict) rejectViolations(exchange, service.strict)
  try {
    assertNoUpgrade(exchange.request)
    const came = await target.send(exchange.request, base, changesBody(exchange))
    remember(context, came)
    if (!fallsBack || !isMissing(context, came)) return await pass(context, came)
    return mockInstead(context, came)
  } catch (error) {
    if (!(error instanceof TargetFailure)) throw error
    return answerFailure(context, error)
  }
}

/** Answers a request to which the service gave no whole reply. */
function answerFailure(context: Context, error: TargetFailure): ProxyAnswer {
  const { target, exchange, base, fallsBack } = context
  const { status, message, isUnreachable } = error
  const isClientGone = exchange.request.signal?.aborted === true
  target.recorder?.leaveOut(isClientGone ? clientLeft : 'the service gave no whole reply')
  if (isClientGone) return { reply: noReply('network-error') }
  if (fallsBack && isUnreachable) return mock(context, `${base.origin} ${message}`)
  const failure = new ApiError(
    failures[status] as ErrorCode,
    `The service ${base.origin} ${message}.`,
    status,
  )
  return {
    reply: finishHere(context, () => ({
      ...answerWithError(exchange, failure),
      bypassesService: true,
    })),
  }
}

/**
 * Protocols to which a client may offer to switch, and that a server may ignore (RFC 9110, 7.8).
 */
const ignoredProtocols = /^(?:\s*(?:h2c|http|tls)\b[^,]*(?:,|$))+$/i

/** A request to upgrade would ask the service for something else if it were sent as a plain one. */
function assertNoUpgrade({ headers }: ServiceRequest) {
  const protocol = String(headers['upgrade'] ?? '')
  if (
    protocol === '' ||
    ignoredProtocols.test(protocol) ||
    !/\bupgrade\b/i.test(String(headers['connection']))
  )
    return
  throw new TargetFailure(
    501,
    `was not asked to switch to ${protocol}: this proxy passes on no upgrades`,
  )
}

/** Answers what the service lacks: nobody wants the rest of what it says. */
function mockInstead(context: Context, { status, cancel }: Forwarded): ProxyAnswer {
  const { target, base, exchange } = context
  cancel?.()
  target.recorder?.leaveOut('the mock answered')
  return mock(context, `${base.origin} does not have ${exchange.operation?.id} (${status})`)
}

/** The scenarios have counted the request already. */
function mock(context: Context, why: string): ProxyAnswer {
  const { exchange } = context
  acceptKey(exchange, context.shown)
  const reply = finishHere(context)
  exchange.explanation = joinExplanations(`answered by the mock: ${why}`, exchange.explanation)
  return { reply }
}

/**
 * Returns whether the service lacks the operation. A 404 says so only of a read whose path names no
 * record: elsewhere the record may be missing, also one that a body names.
 */
function isMissing({ exchange, shown }: Context, { status }: Forwarded): boolean {
  const { operation, request } = exchange
  if (!operation || shown.has.has(operation.id)) return false
  if (status === 404) return isRead(request.method) && !operation.path.includes('{')
  return status === 405 || status === 501
}

/** How long a scenario that reads the whole body waits for its end, in milliseconds. */
const longestRead = 10_000
