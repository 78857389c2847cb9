import * as z from 'zod/mini'
import { controlActions, type RouteName } from '../../control/actions/index.ts'
import { type ControlAction, takesBody } from '../../control/call.ts'
import { CallError } from '../../control/client/errors.ts'
import { describeParameter } from '../../control/parameters.ts'
import type { JsonSchema } from '../../core/contract/json-schema.ts'
import { isObject } from '../../core/contract/options.ts'
import { toCamelCase } from '../../api/config/flag-value.ts'
import { defineCommand, type Command } from '../command.ts'
import { toAnswerText } from '../output/answer.ts'
import { callFlags, defineServerCommand, type RemoteServer } from '../running-server.ts'
import { UsageError } from '../terminal.ts'
import { describeField, toFieldFlag, toFlagName, toValue, wholeInput } from './fields.ts'

/** The groups whose name is not the first word of their actions. */
const groupNames: Readonly<Record<string, string>> = { worlds: 'world', scenarios: 'scenario', cases: 'case' }

const groupTexts: Readonly<Record<string, string>> = {
  accounts: 'Refill the quotas of an account',
  clock: 'Show, move, stop or start the clock of a running server',
  deliveries: 'List, show or repeat the deliveries of webhooks',
  journal: 'Show, repeat, copy or clear the requests of a running server',
  keys: 'Create keys on a running server',
  records: 'List, show, create, change or delete the records of a running server',
  snapshots: 'Save snapshots of a world, and go back to them',
  webhooks: 'Grade the receivers of webhooks',
  world: 'List, show, start, undo or delete the worlds of a running server',
}

/** Returns the commands of an action and what they do: as it says itself, otherwise the words of its id and what its path names. */
export function commandsOf({ id, path, title, commands }: ControlAction): Readonly<Record<string, string>> {
  if (typeof commands === 'string') return {}
  if (commands !== undefined) return commands
  const [subject = '', verb] = id.split('.')
  const names = namesIn(path).map((name) => `<${name}>`)
  return { [[groupNames[subject] ?? subject, verb, ...names].join(' ')]: title }
}

/** Returns the parameters of a path. The world is a flag of every command. */
function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter((name) => name !== 'world')
}

/** Adds the commands of all actions to those that are made by hand. */
export function withActions(made: readonly Command[]): Command[] {
  const all = new Map(made.map((command) => [command.name, command]))
  for (const action of controlActions)
    for (const [form, describe] of Object.entries(commandsOf(action))) {
      const [, group, rest = form] = /^(\w+) ([a-z].*)$/.exec(form) ?? []
      const command = toCommand(action, rest, describe)
      if (group === undefined) all.set(command.name, command)
      else {
        const whole = all.get(group) ?? defineCommand({ command: group, describe: groupTexts[group] ?? action.title })
        all.set(group, { ...whole, subcommands: [...(whole.subcommands ?? []), command] })
      }
    }
  return [...all.values()]
}

/** @param form its name, the arguments without a flag, and what it sets by itself: `advance <advance>`, `freeze --frozen` */
function toCommand(action: ControlAction, form: string, describe: string): Command {
  const { description, path, input } = action
  const schema = toInputSchema(action)
  const { properties = {}, additionalProperties: free } = schema
  const own = [...form.matchAll(/[<[](\w+)/g)].map(([, name]) => name!)
  const presets = readPresets(form)
  const left = Object.entries(properties).filter(([name]) => !own.includes(name) && !Object.hasOwn(presets, name))
  const isPreset = Object.keys(presets).length > 0
  return defineServerCommand({
    command: form.replace(/ --.*/, ''),
    describe,
    epilogue: description,
    ...(action.isUsual && { isDefault: true }),
    positionals: Object.fromEntries(
      own.map((name) => [name, describeField(properties[name]) ?? describeParameter(path, name) ?? '']),
    ),
    flags: {
      ...Object.fromEntries(left.map(([name, field]) => [toFlagName(name), toFieldFlag(field)])),
      ...(input && takesBody(action) && !isPreset && { input: wholeInput }),
    },
    ...(free && !isPreset && { freeFlag: toFieldFlag(free === true ? {} : free) }),
    async run(server, args, terminal) {
      const given = args as Readonly<Record<string, unknown>>
      const flags = (terminal.given ?? []).filter((flag) => !Object.hasOwn(callFlags, flag) && flag !== 'input')
      const fields: Record<string, unknown> = { ...presets }
      for (const name of own) if (!path.includes(`{${name}}`)) fields[name] = toValue(given[name], properties[name])
      for (const flag of flags) {
        const name = left.find(([known]) => toFlagName(known) === flag)?.[0] ?? flag
        if (flag !== 'config') fields[name] = given[toCamelCase(flag)]
      }
      const parameters = Object.fromEntries(namesIn(path).map((name) => [name, String(given[name])]))
      const answer = await callAction(server, action, parameters, joinInput(given['input'], fields))
      return { answer: answer ?? {}, toText: () => toAnswerText(answer, terminal.stdout, action.whenEmpty) }
    },
  })
}

function toInputSchema({ input, method }: ControlAction): JsonSchema {
  if (!input) return {}
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const takesAnyField = schema.type === 'object' && !schema.properties && schema.additionalProperties === undefined
  return takesAnyField && method !== 'GET' ? { ...schema, additionalProperties: {} } : schema
}

/** Reads what a form sets: `freeze --frozen` sets `frozen`, `unfreeze --no-frozen` unsets it. */
function readPresets(form: string): Record<string, boolean> {
  const found = form.matchAll(/--(no-)?(\w+)/g)
  return Object.fromEntries(Array.from(found, ([, no, name]) => [name!, no === undefined]))
}

function joinInput(whole: unknown, fields: Readonly<Record<string, unknown>>): unknown {
  if (whole === undefined) return fields
  if (Object.keys(fields).length === 0) return whole
  if (isObject(whole)) return { ...whole, ...fields }
  throw new UsageError('--input: it is no object, so it goes without other flags.')
}

async function callAction(
  server: RemoteServer,
  action: ControlAction,
  path: Readonly<Record<string, string>>,
  input: unknown,
): Promise<unknown> {
  const { method, needsWorld, destructive, input: schema } = action
  const route = `${method} ${action.path}` as RouteName
  // A call that changes a world creates it, so a misspelt name must fail here.
  if (destructive && !needsWorld && method !== 'PUT') await server.call('GET /worlds/{world}')
  const hasBody = takesBody(action) && schema !== undefined
  const query = hasBody ? undefined : (input as Record<string, string>)
  try {
    return await server.call(route, { path: path as never, query, body: hasBody ? input : undefined })
  } catch (error) {
    throw error instanceof CallError ? new UsageError(toFlagMessage(error, action)) : error
  }
}

/** Messages name a field as the control API does; here it is a flag. */
function toFlagMessage({ message, errors }: CallError, action: ControlAction): string {
  if (errors.length > 0) return errors.map(({ path, message: why }) => `${toFlagPath(path)}${why}`).join('\n')
  const [name = ''] = message.split(':', 1)
  const isField = Object.hasOwn(toInputSchema(action).properties ?? {}, name)
  return isField ? message.replace(name, `--${toFlagName(name)}`) : message
}

function toFlagPath(pointer: string): string {
  const [, first, ...rest] = pointer.split('/')
  return first === undefined ? '' : `--${[toFlagName(first), ...rest].join('.')}: `
}
