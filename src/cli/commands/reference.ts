import { defineCommand } from '../command.ts'
import { target } from '../../api/config/flag.ts'
import { oneOf } from '../../core/store/options.ts'
import { createConfigured, jsonFlag, toLocalUrl } from '../flags/flags.ts'
import { toTable, wrapLines } from '../../output/table.ts'
import { type AreaName, areaNames } from '../../areas/event-types.ts'
import type { Catalogue } from '../../catalogue/fold-areas.ts'
import type { AssumptionChoices } from '../../api/names.ts'
import { assumption } from '../../api/config/settings.ts'
import { printAsIs, printJson, UsageError } from '../terminal.ts'

export const assumptionsCommand = defineCommand({
  command: 'assumptions',
  describe: 'List what the reference leaves open: defaults and alternatives',
  flags: jsonFlag,
  async run(_, terminal) {
    const data = (await createConfigured(terminal)).assumptions()
    const width = (terminal.stdout.columns ?? Infinity) - 2
    const blocks = data.map(({ id, question, values, source }) => {
      const [standard, ...alternatives] = values
      const choices = `${standard} (default, ${source})${alternatives.length > 0 ? `; or ${alternatives.join(', ')}` : ''}`
      const lines = [question, choices].flatMap((text) => wrapLines(text, width))
      return `${id}\n${lines.map((line) => `  ${line}\n`).join('')}\n`
    })
    return {
      answer: { data },
      toText: () => blocks.join(''),
    }
  },
})

export const routesCommand = defineCommand({
  command: 'routes',
  describe: 'List every operation of both APIs',
  flags: jsonFlag,
  async run(_, terminal) {
    const data = (await createConfigured(terminal)).operations()
    const rows = data.map(({ method, path, id, scope, source }) => [
      method,
      path,
      id,
      scope,
      source,
    ])
    const cells = [['METHOD', 'PATH', 'OPERATION', 'SCOPE', 'SOURCE'], ...rows]
    return {
      answer: { data },
      toText: () => toTable(cells, terminal.stdout.columns),
    }
  },
})

export const openapiCommand = defineCommand({
  command: 'openapi',
  describe: 'Print the OpenAPI 3.1 document of both APIs, or of the control API',
  flags: {
    area: {
      value: oneOf([...areaNames, 'control']),
      describe: 'Only this area: plants or apps; or the control API',
    },
    format: {
      value: oneOf(['json', 'yaml']),
      describe: 'Format: json or yaml',
      default: 'json',
    },
    assume: {
      each: assumption,
      describe: 'Assumption to change: ID=VALUE',
    },
    server: {
      value: target,
      variable: 'GREENHOUSE_URL',
      describe: 'Base URL of the server; app management adds /v1 to it',
      defaultDescription: 'GREENHOUSE_URL, or http://127.0.0.1:4010',
    },
  },
  examples: [
    ['openapi > openapi.json', 'Write the document to a file'],
    ['openapi --area plants --format yaml', 'Only the plant store, in YAML'],
  ],
  async run({ area, format, assume, server: given }, terminal) {
    const server = given ?? toLocalUrl(terminal)
    const greenhouse = await createConfigured(terminal)
    const { catalogue } = greenhouse
    if (area && area !== 'control' && !catalogue.areas.some(({ name }) => name === area))
      throw new UsageError(
        `--area ${area}: this Greenhouse does not have that area. See "areas" in the configuration file.`,
      )
    try {
      const assumptions = { ...greenhouse.world().assumptions, ...Object.fromEntries(assume) }
      const document = await createDocument(area, {
        server,
        catalogue,
        assumptions,
      })
      if (format === 'json') return printJson(terminal, document, true)
      const { dump } = await import('js-yaml')
      printAsIs(terminal.stdout, dump(document, { noRefs: true }))
    } catch (error) {
      throw error instanceof RangeError ? new UsageError(error.message) : error
    }
  },
})

async function createDocument(
  area: AreaName | 'control' | undefined,
  options: {
    server: string
    catalogue: Catalogue
    assumptions: AssumptionChoices
  },
): Promise<object> {
  if (area !== 'control')
    return (await import('../../contract/document/index.ts')).createOpenApi({ area, ...options })
  const { createControlDocument } = await import('../../control/document.ts')
  const { controlActions } = await import('../../control/actions/index.ts')
  return createControlDocument(controlActions, options)
}
