import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { expect, test } from 'vitest'
import { createWithHooks } from '../../src/api/assembly/create.ts'
import { createOpenApi, type OpenApiDocument } from '../../src/contract/document/index.ts'
import { adapters } from '../support/adapters.ts'
import { operationsOf } from '../support/operations-of.ts'
import { soaks, times } from '../support/soak.ts'
import { createCaller, start, toInit } from '../support/test-api.ts'
import { cases } from '../coverage/cases/index.ts'
import { toSent } from '../coverage/ways.ts'

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default

/** The JSON Schema compiler, shared because it is slow to create. */
const reader = new Ajv2020({ strict: false, allErrors: true })

interface SeenReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface Response {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: Readonly<Record<string, object>>
}

/**
 * The share of cases to check under an alternative; under the defaults, all are checked. All of
 * them take four minutes.
 */
const oneIn = times(3, 40)

const ways = Object.entries(cases).flatMap(([operation, statuses]) =>
  Object.values(statuses).flatMap((asked) =>
    asked.map(([what, ask]) => ({ title: `${operation}, ${what}`, ask })),
  ),
)

test('every reply of every operation is as the document of its assumptions says', async () => {
  let reads = new Set<string>()
  const greenhouse = createWithHooks({ now: start }, { onAssumptionRead: (id) => reads.add(id) })
  const { send, close } = await adapters[0]!.open(greenhouse)
  const call = createCaller(send)
  const world = greenhouse.world()
  const judges = new Map<string, Awaited<ReturnType<typeof againstDocument>>>()
  const wrong: string[] = []
  let seen = 0

  const go = async (
    { title, ask }: (typeof ways)[number],
    variant: Readonly<Record<string, string>>,
  ) => {
    world.reset({ assumptions: variant })
    world.clock.freeze()
    // The preparation of a request may use the defaults.
    const sent = await toSent(ask, call, world).catch(() => undefined)
    if (!sent) return
    const [method, path, asked] = sent
    const response = await send(path, toInit(method, asked))
    const reply = {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    }
    const operation = world.journal.calls({ limit: 1 })[0]?.operation
    if (operation === undefined) return
    const area = operation.startsWith('plants.') ? 'plants' : 'apps'
    const assumed = `${area} ${JSON.stringify(world.assumptions)}`
    const judge = judges.get(assumed) ?? (await againstDocument(world.assumptions, area))
    judges.set(assumed, judge)
    seen++
    for (const problem of judge(operation, reply))
      wrong.push(`${JSON.stringify(variant)} ${title}: ${problem}`)
  }

  // An exchange that never read an assumption cannot change with it.
  const readBy = new Map<(typeof ways)[number], ReadonlySet<string>>()
  for (const way of ways) {
    reads = new Set()
    await go(way, {})
    readBy.set(way, reads)
  }
  let number = 0
  // Each alternative has a document of its own, which takes most of the time.
  const alternatives = greenhouse
    .assumptions()
    .flatMap(({ id, values }) => values.slice(1).map((value) => ({ id, value })))
  for (const { id, value } of alternatives.filter((_, index) => soaks || index % 6 === 0)) {
    judges.clear()
    for (const way of ways.filter((one) => readBy.get(one)!.has(id)))
      if (number++ % oneIn === 0) await go(way, { [id]: value })
  }
  await close()
  expect(seen).toBeGreaterThan(1_000)
  expect(wrong.slice(0, 25), `${wrong.length} of ${seen}`).toEqual([])
})

/**
 * Returns a function that compares replies with the document under assumptions. @param area uses
 * only its document, which is faster.
 */
async function againstDocument(
  assumptions: Readonly<Record<string, string>>,
  area?: 'plants' | 'apps',
) {
  const document = await createOpenApi({
    assumptions,
    area,
    server: 'http://127.0.0.1',
    examples: false,
  })
  if (!reader.validateSchema(document))
    throw new Error(`The document is no JSON Schema: ${reader.errorsText()}`)
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  addFormats(ajv)
  ajv.addFormat('int64', true).addFormat('int32', true)
  ajv.addSchema({ $id: 'document', ...document })
  const responses = responsesOf(document)
  const validators = new Map<string, ValidateFunction>()
  const validate = (pointer: string, value: unknown): string[] => {
    let validator = validators.get(pointer)
    if (!validator)
      validators.set(pointer, (validator = ajv.compile({ $ref: `document#${pointer}` })))
    return validator(value)
      ? []
      : [`${ajv.errorsText(validator.errors)} in ${JSON.stringify(value).slice(0, 300)}`]
  }
  return (operation: string, { status, headers, text }: SeenReply): string[] => {
    const found = responses.get(operation)
    const response = found?.responses[status]
    if (!found || !response)
      return [`no status ${status} of ${operation} in the document: ${text.slice(0, 200)}`]
    const at = `${found.pointer}/responses/${status}`
    return [
      ...Object.keys(response.headers ?? {}).flatMap((name) =>
        checkHeader(document, ajv, name, headers.get(name)),
      ),
      ...checkBody(response, at, headers.get('content-type'), text, validate),
    ]
  }
}

function checkHeader(
  document: OpenApiDocument,
  ajv: Ajv2020,
  name: string,
  value: string | null,
): string[] {
  const { required, schema } = (
    document.components['headers'] as Record<
      string,
      { required: boolean; schema: { type?: string } }
    >
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
  if (!content)
    return text === '' ? [] : [`a body where the document has none: ${text.slice(0, 200)}`]
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
  const found = new Map<
    string,
    { pointer: string; responses: Readonly<Record<string, Response>> }
  >()
  for (const { path, method, operation } of operationsOf(document))
    found.set(operation.operationId, {
      pointer: `/paths/${toToken(path)}/${method}`,
      responses: operation.responses,
    })
  return found
}

function toToken(text: string): string {
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))
}
