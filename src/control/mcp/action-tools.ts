import * as z from 'zod/mini'
import { type Answers, controlActions, type RouteName, routeOf } from '../actions/index.ts'
import { type ControlAction, invalid } from '../call.ts'
import { allTypesOf, describeParameter, namesIn, toInputSchema } from '../parameters.ts'
import type { JsonSchema } from '../../core/contract/json-schema.ts'
import { describeProblem, joinNames, quote } from '../../core/text/messages.ts'
import { anyText, optional } from '../../core/contract/zod.ts'
import {
  asText,
  defineTool,
  fit,
  json,
  naturalNumber,
  recordId,
  type ToolShape,
  type Tool,
  type ToolContext,
  type ToolText,
  toPage,
  cutToRoom,
  world,
} from './tool.ts'
import type { Fields } from '../../core/text/values.ts'

interface ActionTool<In extends ToolShape> extends ToolText {
  /** Its actions, each with what the tool shows of its answer. */
  readonly actions: {
    readonly [Route in RouteName]?: (
      answer: Answers[Route],
      given: z.output<z.ZodMiniObject<In>>,
      context: ToolContext,
    ) => object | Promise<object>
  }
  /** The fields in addition to its actions' fields; one of the same name replaces it. */
  readonly input: In
  /** The fields of its actions that it does not take. */
  readonly without?: readonly string[]
}

/**
 * Makes a tool of actions. It takes their fields, and does the action that has all those that are
 * given.
 */
export function defineActionTool<const In extends ToolShape>(definition: ActionTool<In>): Tool {
  const { actions, without = [], input, ...text } = definition
  const done = controlActions.flatMap((action) => {
    const show = actions[routeOf(action)]
    if (show)
      return {
        action,
        show,
        fields: argumentsOf(action),
      }
    return []
  })
  const all: Record<string, z.ZodMiniType> = Object.assign(
    {},
    ...done.map(({ fields }) => fields),
    input,
  )
  for (const name of without) delete all[name]
  return {
    ...text,
    input: z.strictObject({ ...all, world }),
    readOnly: done.every(({ action }) => action.method === 'GET'),
    destructive: done.some(({ action }) => action.destructive),
    async run(context, given) {
      const names = Object.keys(given as Fields)
      const chosen = done.find(
        ({ action, fields }) =>
          names.every((name) => name in fields || name in input) &&
          namesIn(action.path).every((name) => names.includes(name)),
      )
      if (!chosen)
        throw invalid(`expected ${done.map(({ fields }) => describeNames(fields)).join('; or ')}`)
      const { action, show, fields } = chosen
      const known = Object.entries(given as Fields).filter(([name]) => name in fields)
      const taken = toActionFields(action, Object.fromEntries(known))
      const answer = await context.call(routeOf(action), taken as never)
      return show(answer as never, given as never, context)
    },
  }
}

function describeNames(fields: object): string {
  const names = Object.keys(fields)
  if (names.length === 0) return 'no arguments'
  return joinNames(names, 'and')
}

/** Returns the arguments of a tool for what an action takes. The action itself checks them. */
function argumentsOf(action: ControlAction): Record<string, z.ZodMiniType> {
  const { path, prefixes = {} } = action
  const { properties = {} } = toInputSchema(action)
  const found: Record<string, z.ZodMiniType> = {}
  for (const name of namesIn(path)) {
    const schema = name === 'id' ? recordId : anyText
    found[name] = asText(z.optional(schema), describeParameter(path, name))
  }
  for (const [name, field] of Object.entries(properties))
    found[name] = z.optional(z.unknown()).check(z.meta(toPortable(field)))
  for (const [prefix, text] of Object.entries(prefixes))
    found[prefix] = json(z.record(anyText, z.unknown()), text)
  return found
}

/** Describes a field to agents: what is no plain value is given as text. */
function toPortable(field: JsonSchema) {
  const types = allTypesOf(field)
  const isPlain = types.length === 1 && types[0] !== 'array' && types[0] !== 'object'
  return {
    type: isPlain ? field.type : 'string',
    description: field.description,
    enum: field.enum,
  }
}

/** Names what was given below a prefix as the action does: `where.tag`. */
function toActionFields({ prefixes = {} }: ControlAction, given: Fields): object {
  const fields = Object.entries(given).flatMap(([name, value]) => {
    if (name in prefixes)
      return Object.entries(value as object).map(([field, one]) => [`${name}.${field}`, one])
    return [[name, value]]
  })
  return Object.fromEntries(fields) as object
}

const possible = controlActions.filter(({ events }) => !events)

/** Does any action by its id, so that a new one has a tool. */
export const controlTool = defineTool({
  name: 'control',
  title: 'Do anything else',
  description:
    'Does what no other tool does: refills a quota, creates a key, triggers a webhook event, grades a receiver, sends a recorded request again, saves and restores snapshots, undoes a change, checks the text of a scenario, and more. Without `action`, it lists all actions with what they take. Example: {"action": "accounts.refill", "input": "{\\"id\\": \\"acct_pro\\"}"}. The secret of a new key is shown this once.',
  destructive: true,
  input: {
    action: optional(anyText, 'An id: keys.create'),
    input: json(z.record(anyText, z.unknown()), '{"account": "acct_pro"}: what the action takes'),
    offset: naturalNumber,
  },
  async run({ call }, { action: id, input = {}, offset = 0 }) {
    if (id === undefined) {
      const rows = possible.map((one) => ({
        action: one.id,
        does: one.title,
        takes: Object.keys(argumentsOf(one)),
      }))
      return toPage(rows.slice(offset), offset)
    }
    const action = possible.find((one) => one.id === id)
    if (!action) {
      const ids = possible.map((one) => one.id)
      throw invalid(describeProblem(`There is no action ${quote(id)}`, id, ids))
    }
    const missing = namesIn(action.path).find((name) => input[name] === undefined)
    if (missing !== undefined)
      throw invalid(`${missing}: is missing: ${describeParameter(action.path, missing)}`)
    const answer = (await call(routeOf(action), toActionFields(action, input) as never)) ?? {}
    const { data, text } = answer as Fields
    if (Array.isArray(data)) return toPage(data.slice(offset), offset)
    if (typeof text === 'string') return cutToRoom(text, offset)
    return fit(answer)
  },
})
