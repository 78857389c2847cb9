import type { Assume } from '../../contract/assumptions.ts'
import { ApiError, type ProblemList } from '../../contract/errors.ts'
import { isJsonInUtf8 } from '../../http/json-type.ts'
import { headerOf } from '../../http/request.ts'
import type { ValidatedRequest, ViolationRule } from '../../journal/violation.ts'
import { scan } from '../../secrets/redact.ts'
import { isCount, isSecretName } from '../../secrets/secret-names.ts'
import { parseBody, parseQuery } from '../input.ts'
import type { Area, Operation } from '../operation.ts'
import type { QueryParameters } from '../query.ts'
import { findArea, matchPath, type RoutedAreas, splitWorld } from '../router.ts'

const noParameters: QueryParameters = {}
const noNames: ReadonlySet<string> = new Set()

const validQueries = new WeakMap<QueryParameters, Set<string>>()
const maxKept = 256
const longestKept = 100

const shortestSecret = 4

const knownParameters = new WeakMap<ReadonlyMap<string, string>, Map<Operation, QueryParameters>>()

export class CheckedRequest {
  readonly request: ValidatedRequest
  readonly areas: RoutedAreas
  readonly area: Area
  /** From the service's root, without a world's prefix. */
  readonly path: string
  readonly operation: Operation | undefined
  /** Still percent-encoded. */
  readonly params: Readonly<Record<string, string>>
  readonly methods: readonly string[]
  /** Whether there is no query, or one that was already found valid. */
  readonly hasKnownQuery: boolean
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
    this.parameters = this.#parametersOf(match.operation)
    this.hasKnownQuery = request.search === '' || validQueries.get(this.parameters)?.has(request.search) === true
  }

  #parametersOf(operation: Operation | undefined): QueryParameters {
    if (!operation?.queryUnder) return operation?.query ?? noParameters
    const { assumptions } = this.request
    let known = knownParameters.get(assumptions)
    if (!known) knownParameters.set(assumptions, (known = new Map()))
    let parameters = known.get(operation)
    if (!parameters) known.set(operation, (parameters = operation.queryUnder(this.assume)))
    return parameters
  }

  header(name: string): string | undefined {
    return headerOf(this.request, name)
  }

  get query(): URLSearchParams {
    return (this.#query ??= parseQuery(this.request.search))
  }

  /** Remembers a valid query, unless it could hold a secret: another world may have one that this world does not know. */
  keepQuery(): void {
    const { search } = this.request
    if (search.length > longestKept) return
    for (const [name, value] of this.query)
      if (value.length >= shortestSecret && !this.parameters[name]?.values?.includes(value)) return
    let kept = validQueries.get(this.parameters)
    if (!kept) validQueries.set(this.parameters, (kept = new Set()))
    if (kept.size >= maxKept) kept.clear()
    kept.add(search)
  }

  get secretParameters(): ReadonlySet<string> {
    return this.hasKnownQuery ? noNames : (this.#secretParameters ??= this.#findSecretParameters())
  }

  #findSecretParameters(): ReadonlySet<string> {
    let names: Set<string> | undefined
    for (const [name, value] of this.query) {
      const isNamedSo = !Object.hasOwn(this.parameters, name) && isSecretName(name) && !isCount(name, value)
      if (value !== '' && (isNamedSo || this.isSecret(value))) (names ??= new Set()).add(name)
    }
    return names ?? noNames
  }

  isSecret(text: string): boolean {
    return text.length >= shortestSecret && (this.request.isSecret(text) || scan(text).spans.length > 0)
  }

  /** Whether the operation can read the body: declared as JSON in UTF-8, without Content-Encoding. */
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
  /**
   * The part of a request that it checks; requests without this part skip the rule. A request without a body counts as
   * having one if its operation takes a body.
   */
  readonly about: 'line' | 'headers' | 'query' | 'body'
  /** Whether the service always refuses a request that breaks this rule, so that a successful request need not be checked. */
  readonly isRejected?: boolean
  readonly finds: string
  check(checked: CheckedRequest, problems: ProblemList): void
}
