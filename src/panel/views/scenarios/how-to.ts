import { quoteForShell, toLiteral } from '../../../core/definitions/literal.ts'
import { keyIn } from '../../../core/http/client-url.ts'
import { toChoiceText } from '../../data/choice.ts'
import type { ScenarioSummary, Start } from '../../data/shapes.ts'
import { quoteHeader } from '../traffic/code.ts'
import { inputTypeOf, type OptionTexts } from './option-texts.ts'

interface HowToInput {
  readonly scenario: ScenarioSummary
  readonly choice: { readonly name: string } & OptionTexts
  readonly world: string
  readonly start: Start
  readonly hasToken: boolean
}

interface HowTo {
  readonly id: string
  readonly title: string
  readonly note: string
  readonly toText: (input: HowToInput) => string
}

export const howTos: readonly HowTo[] = [
  {
    id: 'header',
    title: 'Header',
    note: 'For one request.',
    toText: ({ scenario, choice, world, start }) => {
      const header = `X-Greenhouse-Scenario: ${toChoiceText(choice)}`
      const key = Object.keys(start.keys).find((name) => name === 'key_pro') ?? Object.keys(start.keys)[0] ?? '$KEY'
      const url = scenario.acts_on.includes('plants') ? `${start.plants_url}/plants` : `${start.apps_url}/apps`
      return `curl -i ${url} \\\n     -H ${quoteHeader(`Authorization: Bearer ${keyIn(world, key)}`)} \\\n     -H ${quoteForShell(header)}`
    },
  },
  {
    id: 'cli',
    title: 'CLI',
    note: 'At the start, or in a running server.',
    toText: ({ scenario: { file }, choice, world, start, hasToken }) => {
      const text = toWord(toChoiceText(choice))
      const folder = file === undefined ? '' : ` --scenarios ${toWord(folderOf(file))}`
      const inWorld = world === 'default' ? '' : ` --world ${world}`
      const withToken = hasToken ? ' --token "$GREENHOUSE_TOKEN"' : ''
      return `greenhouse-mock serve${folder} --scenario ${text}\ngreenhouse scenario use ${text}${inWorld} --server ${start.plants_url}${withToken}`
    },
  },
  {
    id: 'code',
    title: 'Code',
    note: 'In a test, or anywhere in your code.',
    toText: ({ scenario, choice, world }) => {
      const { name, ...texts } = choice
      const options = Object.entries(texts).map(([option, text]) => [option, toValue(scenario, option, text)])
      const second = options.length === 0 ? '' : `, ${toLiteral(Object.fromEntries(options))}`
      return `const world = greenhouse.world(${world === 'default' ? '' : toLiteral(world)})\nworld.use(${toLiteral(name)}${second})`
    },
  },
  {
    id: 'http',
    title: 'Control API',
    note: 'Adds it to the active scenarios.',
    toText: ({ choice, world, start, hasToken }) => {
      const body = JSON.stringify({ active: [toChoiceText(choice)] })
      const withToken = hasToken ? ' -H "Authorization: Bearer $GREENHOUSE_TOKEN"' : ''
      return `curl ${start.plants_url}/__greenhouse/worlds/${world}/scenarios${withToken} \\\n     -H 'Content-Type: application/json' -d ${quoteForShell(body)}`
    },
  },
]

function toWord(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : quoteForShell(text)
}

function folderOf(file: string): string {
  return /^(.*)[/\\]/.exec(file)?.[1] ?? '.'
}

/** Reads an option's text as a number or a boolean, if it is one. */
function toValue({ options }: ScenarioSummary, option: string, text: string): unknown {
  const type = inputTypeOf(options[option]!)
  const isNumber = (type === 'integer' || type === 'number') && text.trim() !== '' && Number.isFinite(Number(text))
  return isNumber ? Number(text) : type === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text
}
