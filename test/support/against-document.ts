import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { version } from '../../package.json'
import { createDocument, type OpenApiDocument } from '../../src/contract/document/index.ts'
import { contract, assumptionRegistry } from '../../src/api/assembly/catalogue.ts'
import { operationsOf } from './operations-of.ts'

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default

/** The JSON Schema compiler, shared because it is slow to create. */
const reader = new Ajv2020({ strict: false, allErrors: true })

export interface SeenReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface Response {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: Readonly<Record<string, object>>
}

/** Returns a function that compares replies with the document under assumptions. @param area uses only its document, which is faster. */
export async function againstDocument(assumptions: Readonly<Record<string, string>>, area?: 'plants' | 'apps') {
  const document = await createDocument({
    contract,
    version,
    values: assumptionRegistry.resolve(assumptions),
    server: 'http://127.0.0.1',
    area,
  })
  if (!reader.validateSchema(document)) throw new Error(`The document is no JSON Schema: ${reader.errorsText()}`)
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  addFormats(ajv)
  ajv.addFormat('int64', true).addFormat('int32', true)
  ajv.addSchema({ $id: 'document', ...document })
  const responses = responsesOf(document)
  const validators = new Map<string, ValidateFunction>()
  const validate = (pointer: string, value: unknown): string[] => {
    let validator = validators.get(pointer)
    if (!validator) validators.set(pointer, (validator = ajv.compile({ $ref: `document#${pointer}` })))
    return validator(value) ? [] : [`${ajv.errorsText(validator.errors)} in ${JSON.stringify(value).slice(0, 300)}`]
  }
  return (operation: string, { status, headers, text }: SeenReply): string[] => {
    const found = responses.get(operation)
    const response = found?.responses[status]
    if (!found || !response) return [`no status ${status} of ${operation} in the document: ${text.slice(0, 200)}`]
    const at = `${found.pointer}/responses/${status}`
    return [
      ...Object.keys(response.headers ?? {}).flatMap((name) => checkHeader(document, ajv, name, headers.get(name))),
      ...checkBody(response, at, headers.get('content-type'), text, validate),
    ]
  }
}

function checkHeader(document: OpenApiDocument, ajv: Ajv2020, name: string, value: string | null): string[] {
  const { required, schema } = (
    document.components['headers'] as Record<string, { required: boolean; schema: { type?: string } }>
  )[name]!
  if (value === null) return required ? [`the header ${name} is missing`] : []
  const read = schema.type === 'integer' ? Number(value) : value
  return ajv.validate(schema, read) ? [] : [`the header ${name} is ${value}: ${ajv.errorsText()}`]
}

function checkBody(
  { content }: Response,
  at: string,
  type: string | null,
  text: string,
  validate: (pointer: string, value: unknown) => string[],
): string[] {
  if (!content) return text === '' ? [] : [`a body where the document has none: ${text.slice(0, 200)}`]
  if (type === null || !content[type]) return [`the Content-Type ${type} is not in the document`]
  const pointer = `${at}/content/${toToken(type)}/schema`
  if (type === 'application/json') return validate(pointer, JSON.parse(text))
  const { 'x-greenhouse-events': events } = (
    content[type] as { schema: { 'x-greenhouse-events': { event: string }[] } }
  ).schema
  return Array.from(text.matchAll(/event: (.*)\ndata: (.*)\n\n/g)).flatMap(([, name, data]) => {
    const place = events.findIndex(({ event }) => event === name)
    return place < 0
      ? [`the event ${name} is not in the document`]
      : validate(`${pointer}/x-greenhouse-events/${place}/data`, JSON.parse(data!))
  })
}

function responsesOf(document: OpenApiDocument) {
  const found = new Map<string, { pointer: string; responses: Readonly<Record<string, Response>> }>()
  for (const { path, method, operation } of operationsOf(document))
    found.set(operation.operationId, { pointer: `/paths/${toToken(path)}/${method}`, responses: operation.responses })
  return found
}

function toToken(text: string): string {
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))
}
