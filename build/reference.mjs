// Writes the pages of the documentation that follow from the code into dist/docs: what is built in
// dist tells what is in them.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { toPage as toCompatibility } from '../.ci/matrix/page.mjs'
import { runSource } from './code.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @param dist the folder of the built code, with `openapi.json` */
export async function writeReference(dist) {
  const { createGreenhouse } = await import(pathToFileURL(join(dist, 'index.js')).href)
  const greenhouse = createGreenhouse()
  const control = JSON.parse(
    execFileSync(process.execPath, [join(dist, 'greenhouse.cjs'), 'openapi', '--area', 'control'], {
      encoding: 'utf8',
    }),
  )
  const source = await runSource(`
    export * from './api/config/flag.ts'
    export * from './api/config/settings.ts'
    export { faultKinds } from './scenarios/effects/fault.ts'
    export { errorClasses, errorCodes } from './core/text/error-codes.ts'
    export { controlActions } from './control/actions/index.ts'
    export { commandsOf } from './cli/commands/actions.ts'
    export * as z from 'zod/mini'`)
  const pages = {
    operations: toOperations(
      greenhouse,
      JSON.parse(readFileSync(join(dist, 'openapi.json'), 'utf8')),
    ),
    'scenario-library': toScenarios(greenhouse),
    assumptions: toAssumptions(greenhouse),
    'control-routes': toRoutes(control, source),
    settings: toSettings(source),
    faults: toFaults(source),
    errors: toErrors(source),
    compatibility: toCompatibility(
      JSON.parse(readFileSync(join(root, '.ci/matrix/results.json'), 'utf8')),
    ),
  }
  mkdirSync(join(dist, 'docs'), { recursive: true })
  for (const [name, text] of Object.entries(pages))
    writeFileSync(join(dist, 'docs', `${name}.md`), text)
  return Object.keys(pages)
}

const toTable = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
const code = (text) => `\`${text}\``
const list = (texts) => texts.map(code).join(', ') || '–'
const inCell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const toOperations = (greenhouse, document) => `# Operations

Every operation of both APIs, and the scope that a key needs. *stated*: the reference names the operation. *ours*: the reference names
at most its purpose, and the rest is our choice. \`greenhouse-mock routes\` prints this table.

${toTable(
  ['id', 'method', 'path', '', 'scope', 'source'],
  greenhouse
    .operations()
    .map(({ id, method, path, title, scope, source }) => [
      code(id),
      method,
      code(path),
      title,
      scope === 'any' ? 'any key' : code(scope),
      source,
    ]),
)}

${toSections(document)}`

const toScenarios = (greenhouse) => `# All scenarios

Switch one on by its name: \`world.use('slow')\`, \`X-Greenhouse-Scenario: slow\`, \`--scenario slow\`.
\`greenhouse-mock scenario show slow\` prints its options with their values and defaults.
\`greenhouse-mock scenario list --search '429 retry'\` searches titles, tags and descriptions.

${toTable(
  ['name', 'title', 'what in a client it exercises', 'acts on', 'options'],
  greenhouse
    .scenarios()
    .map(({ name, title, covers, acts_on, options }) =>
      [code(name), title, covers, acts_on.join(', '), list(Object.keys(options))].map(inCell),
    ),
)}
`

const toErrors = ({ errorCodes, errorClasses }) => `# Error codes

What Greenhouse throws in code has a \`code\`, which stays when the message changes:

\`\`\`ts
try {
  world.use('expired-keys')
} catch (error) {
  console.log(error.code) // GREENHOUSE_UNKNOWN_SCENARIO
}
\`\`\`

\`GreenhouseErrorCode\` is the type of all of them. The errors of \`greenhouse-mock/client\` that a server answers have the codes of the
control API, such as \`unknown_scenario\`.

${toTable(
  ['code', 'when it is thrown', 'class'],
  Object.entries(errorCodes).map(([name, when]) => [
    code(name),
    when,
    code(errorClasses[name]?.name ?? 'Error'),
  ]),
)}
`

const toAssumptions = (greenhouse) => `# Assumptions

The references of the two APIs leave questions open, and a mock must answer them. A client that depends on such an answer may break
against the real service. So every answer is an assumption with a name, a default and alternatives.

Change one with \`--assume plants.delete.unknown=204\`, \`world.assume('plants.delete.unknown', '204')\` or a scenario.
\`greenhouse-mock assumptions\` lists them, and \`greenhouse-mock flip\` finds those that your tests depend on.

The source of a default: *stated* in the reference; *published* in a public description of the same sample interface; *convention* of
well-known APIs; *ours*, a choice.

\`plants.create.duplicate-id=replace\` deletes your own plant of that id and adds the new one at the end of the list. An id of another
account's plant is 400.

${toTable(
  ['id', 'question', 'default', 'alternatives', 'source'],
  greenhouse
    .assumptions()
    .map(({ id, question, values: [first, ...others], source }) => [
      code(id),
      question,
      code(first),
      list(others),
      source,
    ]),
)}
`

const toRoutes = ({ paths }, source) => `# Routes of the control API

Below \`/__greenhouse\`. Shapes with a name, such as \`World\`, are in the document of \`greenhouse-mock openapi --area control\`, with
every field. A command takes the same fields as flags.

${toTable(
  ['route', 'what it does', 'takes', 'answers', 'command'],
  Object.entries(paths).flatMap(([path, { servers: _, ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => [
      ...toRoute(method, path, operation),
      toCommands(operation, source),
    ]),
  ),
)}
`

function toCommands({ operationId }, { controlActions, commandsOf }) {
  const action = controlActions.find(({ id }) => id === operationId)
  return list(
    typeof action.commands === 'string' ? [action.commands] : Object.keys(commandsOf(action)),
  )
}

const toSettings = (module) => `# Settings

What stands in the configuration file, in flags and in variables. \`greenhouse-mock config\` prints those in effect, and where they come from.

${toSettingsTable(module, module.settings)}
`

/** Addresses are code: the site would make links of them. */
const withAddresses = (text) => text.replace(/https?:\/\/[^\s,;)'\]]+/g, code)

/** Returns the default of a setting, as a table shows it. */
export function defaultOf({ isFlag }, setting) {
  if (!isFlag(setting)) return setting.defaultDescription ?? ''
  if ('each' in setting) return ''
  if ('isOn' in setting) return code(String(setting.isOn))
  return (
    setting.defaultDescription ??
    (setting.default === undefined ? '' : code(String(setting.default)))
  )
}

/** @param module that of `src/api/config/flag.ts` @param all the settings to list, by name */
export function toSettingsTable(module, all) {
  const { expectedBy, flagsByKey, settingKey, variableOf } = module
  const rows = Array.from(flagsByKey(all), ([key, flags]) => {
    const found = Object.entries(all).filter(([name, setting]) => settingKey(name, setting) === key)
    return [
      code(key),
      withAddresses(found.map(([, { describe }]) => describe).join('. ')),
      withAddresses(expectedBy(found[0][1])),
      found.map(([, setting]) => defaultOf(module, setting)).find((text) => text !== '') ?? '',
      flags.map((flag) => `${code(`--${flag}`)} ${code(variableOf(flag))}`).join(' '),
    ]
  })
  return toTable(['setting', 'what it is', 'takes', 'default', 'flag and variable'], rows)
}

const toFaults = (source) => `# Faults

How a reply breaks on its way: \`fault: [{ on: plants.list, kind: truncate, at: 20 }]\` in a scenario.

${toFaultTable(source)}

\`loses: request\` (the default): the service did nothing. \`loses: reply\`: it did the work, and the client cannot know.
`

/** @param source the faults, and the zod of their schemas */
export function toFaultTable({ faultKinds, z }) {
  const toField = ([name, schema]) => {
    if (name === 'loses') return '`loses`'
    const { description, enum: values } = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
    })
    const listed =
      values && values.length < 5
        ? ` One of ${values.map((value) => code(String(value))).join(', ')}.`
        : ''
    return `${code(name)}: ${description}${listed}`
  }
  return toTable(
    ['`kind`', 'what happens', 'fields'],
    faultKinds.map(({ kind, description, fields }) => [
      code(kind),
      description,
      Object.entries(fields).map(toField).join('<br>'),
    ]),
  )
}

function toRoute(method, path, { summary, description, parameters = [], requestBody, responses }) {
  const query = parameters.flatMap((one) =>
    one.in === 'path' ? [] : 'style' in one ? '…' : `${one.name}=`,
  )
  const [status, success] = Object.entries(responses).find(([status]) => Number(status) < 300)
  const [type, answer] = contentOf(success) ?? []
  return [
    code(`${method.toUpperCase()} ${path}`) +
      (query.length > 0 ? ` ${code(`?${query.join('&')}`)}` : ''),
    `${summary}. ${description}`,
    requestBody ? code(toShape(contentOf(requestBody)[1].schema)) : '',
    !answer ? status : type === 'application/json' ? code(toShape(answer.schema)) : 'events',
  ]
}

function operationsOf({ paths, servers }) {
  return Object.entries(paths).flatMap(([path, { servers: own = servers, ...operations }]) =>
    Object.entries(operations).map(([method, operation]) => ({
      server: own[0].url,
      path,
      method,
      operation,
    })),
  )
}

function toSections(document) {
  const { components } = document
  const operations = operationsOf(document).map(({ server, path, method, operation }) =>
    toSection(method.toUpperCase(), new URL(server).pathname.replace(/\/$/, '') + path, operation),
  )
  const shapes = Object.entries(components['schemas']).map(
    ([name, schema]) => `### ${name}\n\n${toFieldTable(schema)}`,
  )
  return `${operations.join('\n')}\n## Shapes\n\n${shapes.join('\n')}`
}

function toSection(method, path, operation) {
  const { operationId, summary, parameters = [], requestBody, responses } = operation
  const scope = operation['x-greenhouse-scope']
  const body = requestBody?.content['application/json']
  const parts = [
    `## \`${operationId}\`: ${summary}\n\n\`${method} ${path}\` with ${scope === 'any' ? 'any key' : `the scope \`${scope}\``} (${operation['x-greenhouse-source']})\n`,
    ...(parameters.length === 0
      ? []
      : [
          `| parameter | in | takes | |\n| --- | --- | --- | --- |\n${parameters
            .map(
              ({ name, in: place, schema, description = '' }) =>
                `| \`${name}\` | ${place} | ${toText(schema)} | ${description} |\n`,
            )
            .join('')}`,
        ]),
    ...(body
      ? [`Body: ${toText(body.schema)}${requestBody.required ? '' : ', may be left out'}\n`]
      : []),
    `| status | body | when |\n| --- | --- | --- |\n${Object.entries(responses)
      .map(([status, { content = {}, description }]) => {
        const shown = Object.entries(content).map(([type, { schema }]) =>
          type === 'application/json' ? toText(schema) : `\`${type}\``,
        )
        return `| ${status} | ${shown.join(' or ') || 'none'} | ${description.replaceAll('|', '\\|')} |\n`
      })
      .join('')}`,
    ...toExample(method, path, operation),
  ]
  return parts.join('\n')
}

function toExample(method, path, { parameters = [], requestBody, responses }) {
  const found = Object.entries(responses).find(([status, { content }]) => {
    const isSuccess = Number(status) < 300
    const isOfStream = content?.['text/event-stream'] !== undefined
    return (
      isSuccess && !isOfStream && (!content || content['application/json']?.example !== undefined)
    )
  })
  if (!found) return []
  const [status, { content }] = found
  const target = parameters.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, String(example)),
    path,
  )
  const sent = requestBody?.content['application/json']?.example
  const got = content?.['application/json']?.example
  const show = (value) => (value === undefined ? '' : `\n${JSON.stringify(value, null, 2)}`)
  return [`\`\`\`text\n${method} ${target}${show(sent)}\n\n${status}${show(got)}\n\`\`\`\n`]
}

function toFieldTable(schema) {
  const { properties, required = [] } = schema
  if (!properties) return `${toText(schema)}\n`
  return `| field | | |\n| --- | --- | --- |\n${toRows(properties, required, '').join('')}`
}

function toRows(properties, required, before) {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inner = schema.type === 'array' ? schema.items : schema
    const nested = inner.properties
      ? toRows(
          inner.properties,
          inner.required ?? [],
          `${before}${name}${schema.type === 'array' ? '[]' : ''}.`,
        )
      : []
    return [
      `| \`${before}${name}\` | ${toText(schema)} | ${required.includes(name) ? '' : 'optional'} |\n`,
      ...nested,
    ]
  })
}

const words = { integer: 'integer', object: 'object', array: 'list', null: '`null`' }

function toText(schema) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)
    return `[${name}](#${name.toLowerCase()})`
  }
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (schema.const !== undefined) return `\`${String(schema.const)}\``
  if (schema.anyOf) return [...new Set(schema.anyOf.map(toText))].join(' or ')
  if (schema.type === 'array') return `list of ${toText(schema.items)}`
  const types = [schema.type ?? 'any value'].flat().map((type) => words[type] ?? type)
  return [types.join(' or '), ...toLimits(schema)].join(', ')
}

function toLimits({ format, minLength, maxLength, minimum, maximum, pattern, default: usual }) {
  return [
    ...(format === undefined ? [] : [`${String(format)}`]),
    ...(minLength === undefined ? [] : [`at least ${String(minLength)} characters`]),
    ...(maxLength === undefined ? [] : [`at most ${String(maxLength)} characters`]),
    ...(minimum === undefined ? [] : [`at least ${String(minimum)}`]),
    ...(maximum === undefined ? [] : [`at most ${String(maximum)}`]),
    ...(pattern === undefined ? [] : [`\`${String(pattern).replaceAll('|', '\\|')}\``]),
    ...(usual === undefined ? [] : [`${String(usual)} by default`]),
  ]
}

function toShape(schema, isInner = false) {
  if (schema.$ref) return schema.$ref.split('/').at(-1)
  if (schema.anyOf) return toShape(schema.anyOf.at(-1), isInner)
  if (schema.items) return `[${toShape(schema.items, true)}]`
  if (Object.keys(schema.properties ?? {}).length === 0 || isInner)
    return schema.type === 'object' ? '{…}' : '…'
  const fields = Object.entries(schema.properties).map(([name, part]) => {
    const shape = toShape(part, name !== 'data')
    return `${name}${schema.required?.includes(name) ? '' : '?'}${/\w|\[/.test(shape) ? `: ${shape}` : ''}`
  })
  return `{${fields.join(', ')}}`
}

const contentOf = ({ content = {} }) => Object.entries(content)[0]
