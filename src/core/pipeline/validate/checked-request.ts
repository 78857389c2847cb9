import type { Assume } from '../../contract/assumptions.ts'
import { ApiError, type ProblemList } from '../../contract/errors.ts'
import type { JsonSchema } from '../../contract/json-schema.ts'
import { isJsonInUtf8 } from '../../http/json-type.ts'
import { headerOf } from '../../http/request.ts'
import type { ValidatedRequest, ViolationRule } from '../../journal/violation.ts'
import { isSecretName } from '../../secrets/secrets.ts'
import { parseBody, parseQuery } from '../input.ts'
import type { Area, Operation } from '../operation.ts'
import type { QueryParameters } from '../query.ts'
import { findArea, matchPath, type RoutedAreas, splitWorld } from '../router.ts'

const noParameters: QueryParameters = {}
const noNames: ReadonlySet<string> = new Set()

const shortestSecret = 4

export class CheckedRequest {
  readonly request: ValidatedRequest
  readonly areas: RoutedAreas
  readonly area: Area
  readonly path: string
  readonly operation: Operation | undefined
  /** Still percent-encoded. */
  readonly params: Readonly<Record<string, string>>
  readonly methods: readonly string[]
  readonly parameters: QueryParameters
  readonly assume: Assume
  #query: URLSearchParams | undefined
  #secretParameters: ReadonlySet<string> | undefined
  #body: Readonly<Record<string, unknown>> | ApiError | null | undefined

  constructor(request: ValidatedRequest, areas: RoutedAreas) {
    this.request = request
    this.areas = areas
    this.assume = (_assumptions, id) => request.assumptions.get(id)!
    this.path = splitWorld(request.path).path
    const { area, router } = findArea(areas, this.path)
    this.area = area
    const below = this.path.slice(area.base.length)
    const match = matchPath(router, request.method, below, this)
    this.operation = match.operation
    this.params = match.params
    this.methods = match.methods
    this.parameters = match.operation?.queryUnder?.(this.assume) ?? match.operation?.query ?? noParameters
  }

  header(name: string): string | undefined {
    return headerOf(this.request, name)
  }

  get query(): URLSearchParams {
    return (this.#query ??= parseQuery(this.request.search))
  }

  get secretParameters(): ReadonlySet<string> {
    return (this.#secretParameters ??= this.#findSecretParameters())
  }

  #findSecretParameters(): ReadonlySet<string> {
    let names: Set<string> | undefined
    for (const [name, value] of this.query) {
      const isNamedSo = !Object.hasOwn(this.parameters, name) && isSecretName(name)
      if (value !== '' && (isNamedSo || this.isSecret(value))) (names ??= new Set()).add(name)
    }
    return names ?? noNames
  }

  isSecret(text: string): boolean {
    return text.length >= shortestSecret && this.request.isSecret(text)
  }

  get isReadable(): boolean {
    return (
      this.request.body !== null &&
      isJsonInUtf8(this.header('content-type') ?? '') &&
      (this.header('content-encoding')?.toLowerCase() ?? 'identity') === 'identity'
    )
  }

  get body(): Readonly<Record<string, unknown>> | ApiError | null {
    return this.#body === undefined ? (this.#body = this.#readBody()) : this.#body
  }

  #readBody(): Readonly<Record<string, unknown>> | ApiError | null {
    const { body } = this.request
    if (body === null || typeof body === 'string' || !this.isReadable) return null
    try {
      return parseBody(body)
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
  }

  get sent(): Readonly<Record<string, unknown>> | undefined {
    const { body } = this
    return body === null || body instanceof ApiError ? undefined : body
  }
}

export interface ValidationRule {
  readonly id: ViolationRule
  /** Whether the service always refuses a request that breaks this rule, so that a successful request need not be checked. */
  readonly isRejected?: boolean
  readonly finds: string
  check(checked: CheckedRequest, problems: ProblemList): void
}

const int32 = [-(2n ** 31n), 2n ** 31n - 1n] as const
const int64 = [-(2n ** 63n), 2n ** 63n - 1n] as const

/** Returns the rest of a sentence: `must be an integer from 1 to 100`. A string may stand for a number. */
export function toJsonSchemaProblem(value: unknown, schema: JsonSchema): string | undefined {
  const { minLength = 0, maxLength = Infinity } = schema
  const bounds = toBounds(schema)
  if (bounds) {
    const number = toInteger(value)
    return number !== undefined && number >= bounds[0] && number <= bounds[1]
      ? undefined
      : `must be an integer from ${bounds[0]} to ${bounds[1]}`
  }
  if (typeof value !== 'string') return undefined
  const length = [...value].length
  if (length < minLength) return minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`
  return length > maxLength ? `must have at most ${maxLength} characters` : undefined
}

function toBounds({ type, format, minimum, maximum }: JsonSchema): readonly [bigint, bigint] | undefined {
  if (type !== 'integer' && minimum === undefined && maximum === undefined) return undefined
  const [least, max] = format === 'int32' ? int32 : int64
  return [toBigInt(minimum) ?? least, toBigInt(maximum) ?? max]
}

function toInteger(value: unknown): bigint | undefined {
  if (typeof value === 'string') return /^-?\d{1,20}$/.test(value) ? BigInt(value) : undefined
  return toBigInt(value)
}

function toBigInt(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  return Number.isSafeInteger(value) ? BigInt(value as number) : undefined
}

const noValues = new Set(['undefined', 'null', 'NaN', 'None', '[object Object]'])

export function isNoValue(text: string): boolean {
  return noValues.has(text)
}

export function isTemplate(text: string): boolean {
  return /^(?:\$?\{.*\}|<.*>)$/s.test(text)
}
