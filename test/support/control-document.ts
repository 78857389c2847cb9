import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { RunningServer } from 'greenhouse-mock/server'

export const inJson = 'content/application~1json/schema'

export type ControlDocument = Awaited<ReturnType<typeof openDocument>>

/** The control API's document of a server, and a check of values against the schemas in it. */
export async function openDocument({ url }: RunningServer, token?: string) {
  const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const reply = await fetch(`${url}/__greenhouse/openapi.json?area=control`, { headers })
  const document = (await reply.json()) as { paths: object }
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(document, 'document')
  const routes = Object.entries<Record<string, any>>(document.paths as never).flatMap(
    ([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
        at: `document#/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}`,
      })),
  )
  const find = (call: string) => {
    const [method, target] = call.split(' ') as [string, string]
    const segments = target.split('?')[0]!.split('/')
    const fits = (path: string) => {
      const parts = path.split('/')
      return (
        parts.length === segments.length &&
        parts.every((part, at) => part === segments[at] || part[0] === '{')
      )
    }
    const found = routes.filter((route) => route.method === method && fits(route.path))
    return found.sort((one, other) => one.path.split('{').length - other.path.split('{').length)[0]!
  }
  const validators = new Map<string, ValidateFunction>()
  const problems = ($ref: string, value: unknown): string[] => {
    const validate = validators.get($ref) ?? ajv.compile({ $ref })
    validators.set($ref, validate)
    validate(value)
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
  return { routes, find, problems }
}

/**
 * Returns what the document lacks about a reply: its status, or a part of its JSON. A call that no
 * route takes is answered 404, and is not in the document.
 */
export function findUndocumented(
  { find, problems }: Pick<ControlDocument, 'find' | 'problems'>,
  call: string,
  { status, body }: { status: number; body: any },
): string[] {
  const route = find(call) as ReturnType<typeof find> | undefined
  if (!route) return []
  const listed = route.operation.responses[status]
  if (listed === undefined) return [`${status} is not listed`]
  if (body === undefined) return []
  const { $ref } = listed
  const place = $ref === undefined ? `${route.at}/responses/${status}` : `document${$ref}`
  return problems(`${place}/${inJson}`, body)
}
