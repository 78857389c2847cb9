import { type Assume, toAssume } from '../../contract/assumptions.ts'
import { ApiError, type ProblemList } from '../../contract/errors.ts'
import { isJsonInUtf8 } from '../../http/json-type.ts'
import { headerOf } from '../../http/request.ts'
import type { ValidatedRequest, ViolationRule } from '../../journal/violation.ts'
import { isSecretName } from '../../secrets/secrets.ts'
import { parseBody, parseQuery } from '../input.ts'
import type { Area } from '../area.ts'
import { type Operation, parametersOf } from '../operation.ts'
import type { QueryParameters } from '../list-query.ts'
import { splitWorld } from '../../http/address.ts'
import { findArea, matchPath, type RoutedAreas } from '../router.ts'
import type { Fields, Texts } from '../../text/values.ts'

const noParameters: QueryParameters = {}

const shortestSecret = 4

export class CheckedRequest {
  readonly request: ValidatedRequest
  readonly areas: RoutedAreas
  readonly area: Area
  readonly path: string
  readonly operation: Operation | undefined
  /** Still percent-encoded. */
  readonly params: Texts
  readonly methods: readonly string[]
  readonly parameters: QueryParameters
  readonly assume: Assume
  readonly query: URLSearchParams
  /** The names of parameters whose values are secrets. */
  readonly secretParameters: ReadonlySet<string>
  readonly body: Fields | ApiError | undefined

  constructor(request: ValidatedRequest, areas: RoutedAreas) {
    this.request = request
    this.areas = areas
    this.assume = toAssume(request)
    this.path = splitWorld(request.path).path
    const { area, router } = findArea(areas, this.path)
    this.area = area
    const below = this.path.slice(area.base.length)
    const match = matchPath(router, request.method, below, this)
    this.operation = match.operation
    this.params = match.params
    this.methods = match.methods
    this.parameters = match.operation ? parametersOf(match.operation, this.assume) : noParameters
    this.query = parseQuery(request.search)
    this.secretParameters = this.#findSecretParameters()
    this.body = this.#readBody()
  }

  header(name: string): string | undefined {
    return headerOf(this.request, name)
  }

  #findSecretParameters(): ReadonlySet<string> {
    const names = new Set<string>()
    for (const [name, value] of this.query) {
      const isNamedSo = !Object.hasOwn(this.parameters, name) && isSecretName(name)
      if (value !== '' && (isNamedSo || this.isSecret(value))) names.add(name)
    }
    return names
  }

  isSecret(text: string): boolean {
    return text.length >= shortestSecret && this.request.isSecret(text)
  }

  get #isReadable(): boolean {
    return (
      isJsonInUtf8(this.header('content-type') ?? '') &&
      (this.header('content-encoding')?.toLowerCase() ?? 'identity') === 'identity'
    )
  }

  #readBody(): Fields | ApiError | undefined {
    const { body } = this.request
    if (body === null || typeof body === 'string' || !this.#isReadable) return undefined
    try {
      return parseBody(body)
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
  }

  get sent(): Fields | undefined {
    if (this.body instanceof ApiError) return undefined
    return this.body
  }
}

export interface ValidationRule {
  readonly id: ViolationRule
  /**
   * True if the service always refuses a request that breaks this rule, so that a successful
   * request need not be checked.
   */
  readonly isRejected?: boolean
  readonly finds: string
  check(checked: CheckedRequest, problems: ProblemList): void
}

const noValues = new Set(['undefined', 'null', 'NaN', 'None', '[object Object]'])

export function isNoValue(text: string): boolean {
  return noValues.has(text)
}

export function isTemplate(text: string): boolean {
  return /^(?:\$?\{.*\}|<.*>)$/s.test(text)
}
