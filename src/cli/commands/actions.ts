import { readFileSync } from 'node:fs'
import { readValue, toCamelCase, type ValueFlag } from '../../api/config/flag.ts'
import { controlActions, routeOf } from '../../control/actions/index.ts'
import { type ControlAction, takesBody } from '../../control/call.ts'
import { CallError } from '../../control/client/errors.ts'
import {
  describeParameter,
  namesIn,
  toInputSchema,
  toInputValue,
} from '../../control/parameters.ts'
import { toReason } from '../../core/contract/errors.ts'
import { isObject } from '../../core/contract/options.ts'
import { JsonError, parseJson, toJson } from '../../core/http/json.ts'
import { defineCommand, type Command } from '../command.ts'
import {
  describeField,
  flagsOfAction,
  toFieldFlag,
  toFlagMessage,
  toFlagName,
} from '../flags/action.ts'
import { commonFlags } from '../flags/flags.ts'
import { callFlags, RemoteServer } from '../running-server.ts'
import { UsageError, type OutputStream } from '../terminal.ts'
import { logCommand } from './log.ts'
import type { Fields, Texts } from '../../core/text/values.ts'
import { fitColumns, toTable } from '../../output/table.ts'

/** The groups whose name is not the first word of their actions. */
const groupNames: Record<string, string> = {
  worlds: 'world',
  scenarios: 'scenario',
  cases: 'case',
}

const groupTexts: Record<string, string> = {
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

/**
 * Returns the commands of an action and what they do: as it says itself, otherwise the words of its
 * id and what its path names.
 */
export function commandsOf({ id, path, title, commands }: ControlAction): Texts {
  if (typeof commands === 'string') return {}
  if (commands !== undefined) return commands
  const [subject = '', verb] = id.split('.')
  const names = namesIn(path).map((name) => `<${name}>`)
  return { [[groupNames[subject] ?? subject, verb, ...names].join(' ')]: title }
}

/**
 * Adds the commands of all actions to those that are made by hand.
 * @param name the command that is asked for: the others need no flags. Without it, all get theirs,
 * for the help.
 */
export function withActions(made: readonly Command[], name?: string): Command[] {
  const all = new Map([...made, logCommand].map((command) => [command.name, command]))
  for (const action of controlActions)
    for (const [form, describe] of Object.entries(commandsOf(action))) {
      const [, group, rest = form] = /^(\w+) ([a-z].*)$/.exec(form) ?? []
      const [own = form] = (group ?? form).split(' ', 1)
      const isNeeded = name === undefined || name === own
      const command = isNeeded
        ? toActionCommand(action, rest, describe)
        : defineCommand({
            command: rest,
            describe,
          })
      if (group === undefined) all.set(own, command)
      else all.set(own, withSubcommand(all.get(own) ?? newGroup(own, action), command))
    }
  return [...all.values()]
}

function newGroup(name: string, { title }: ControlAction): Command {
  return defineCommand({
    command: name,
    describe: groupTexts[name] ?? title,
  })
}

function withSubcommand(group: Command, command: Command): Command {
  return {
    ...group,
    subcommands: [...(group.subcommands ?? []), command],
  }
}

/**
 * @param form its name, the arguments without a flag, and what it sets by itself: `advance
 * <advance>`, `freeze --frozen`
 */
function toActionCommand(action: ControlAction, form: string, describe: string): Command {
  const { description, path, input, isDefault = false } = action
  const schema = toInputSchema(action)
  const { properties = {}, additionalProperties: free } = schema
  const positionals = Array.from(form.matchAll(/[<[](\w+)/g), ([, name = '']) => name)
  const presets = readPresets(form)
  const taken = new Set([...positionals, ...Object.keys(presets)])
  const fields = Object.keys(properties).filter((name) => !taken.has(name))
  const flags = flagsOfAction(action, [...taken])
  // A form that sets something by itself takes no whole input.
  const isOpen = Object.keys(presets).length === 0
  if (isOpen && input && takesBody(action)) flags['input'] = wholeInput
  const describeArgument = (name: string) =>
    describeField(properties[name]) ?? describeParameter(path, name)
  return defineCommand({
    command: form.replace(/ --.*/, ''),
    describe,
    epilogue: description,
    isDefault,
    positionals: Object.fromEntries(positionals.map((name) => [name, describeArgument(name)])),
    flags: { ...callFlags, ...flags },
    freeFlag: isOpen && free ? toFieldFlag(free === true ? {} : free) : undefined,
    async run(args, terminal) {
      const given = args as Fields
      const server = new RemoteServer(args, terminal)
      assertNotTwice(positionals, terminal.given)
      const values: Record<string, unknown> = { ...presets }
      for (const name of positionals)
        if (!path.includes(`{${name}}`))
          values[name] = toInputValue(String(given[name]), properties[name])
      for (const flag of terminal.given ?? []) {
        if (notOfInput.has(flag)) continue
        const name = fields.find((known) => toFlagName(known) === flag) ?? flag
        values[name] = given[toCamelCase(flag)]
      }
      const place = Object.fromEntries(namesIn(path).map((name) => [name, given[name]]))
      const answer = await callAction(server, action, place, joinInput(given['input'], values))
      return {
        answer: answer ?? {},
        toText: () => toAnswerText(answer, terminal.stdout, action.whenEmpty),
      }
    },
  })
}

function assertNotTwice(positionals: readonly string[], given: readonly string[] = []) {
  const twice = positionals.map(toFlagName).find((flag) => given.includes(flag))
  if (twice === undefined) return
  throw new UsageError(`--${twice}: the command line has it already, without the flag.`)
}

/** The flags that say nothing of an action's input, apart from the one for all of it. */
const notOfInput = new Set([...Object.keys({ ...commonFlags, ...callFlags }), 'input'])

/** Reads what a form sets: `freeze --frozen` sets `frozen`, `unfreeze --no-frozen` unsets it. */
function readPresets(form: string): Record<string, boolean> {
  const found = form.matchAll(/--(no-)?(\w+)/g)
  return Object.fromEntries(Array.from(found, ([, no, name = '']) => [name, no === undefined]))
}

function joinInput(whole: unknown, fields: Fields): unknown {
  if (whole === undefined) return fields
  if (Object.keys(fields).length === 0) return whole
  if (isObject(whole)) return { ...whole, ...fields }
  throw new UsageError('--input: it is no object, so it goes without other flags.')
}

async function callAction(
  server: RemoteServer,
  action: ControlAction,
  place: Fields,
  input: unknown,
): Promise<unknown> {
  const { method, needsWorld, destructive } = action
  // A call that changes a world creates it, so a misspelt name must fail here.
  if (destructive && !needsWorld && method !== 'PUT') await server.call('GET /worlds/{world}')
  try {
    if (takesBody(action))
      return await server.call(routeOf(action), place as never, { body: input })
    return await server.call(routeOf(action), { ...(input as Fields), ...place } as never)
  } catch (error) {
    if (error instanceof CallError && error.code === 'invalid_request')
      throw new UsageError(toFlagMessage(error, action))
    throw error
  }
}

/** The flag for what no other flag gives: a list of records, a scenario. */
const wholeInput: ValueFlag = {
  value: readValue("JSON or @FILE, such as '{}'", readWholeInput),
  describe: 'The whole input, as JSON, or as @FILE that has it',
}

function readWholeInput(given: string): unknown {
  try {
    return parseJson(given.startsWith('@') ? readFileSync(given.slice(1), 'utf8') : given)
  } catch (error) {
    const what = error instanceof JsonError ? 'it is not JSON' : 'failed to read the file'
    throw new UsageError(`--input: ${what}: ${toReason(error)}`)
  }
}

const longestCell = 48

/**
 * Shows what an action answers: a list as a table, an object by its fields, a text as it is. @param
 * whenEmpty what an empty list means
 */
function toAnswerText(
  answer: unknown,
  stdout: OutputStream,
  whenEmpty = 'Nothing was found.',
): string {
  if (!isObject(answer)) return 'Done.\n'
  const { data, text, total } = answer as {
    data?: unknown
    text?: unknown
    total?: number
  }
  if (typeof text === 'string') return text.endsWith('\n') ? text : `${text}\n`
  if (Array.isArray(data)) return toListText(data, total ?? data.length, stdout, whenEmpty)
  const parts = Object.entries(flatten(answer))
  const lists = parts.filter((part): part is [string, unknown[]] => isListOfObjects(part[1]))
  const fields = toTable(
    parts
      .filter(([, value]) => !isListOfObjects(value))
      .map(([name, value]) => [name, showField(value)]),
  )
  return [
    fields,
    ...lists.map(([name, list]) => `${name}\n${toListText(list, list.length, stdout, whenEmpty)}`),
  ].join('\n')
}

/** Takes what objects hold out of them: `clock.now`. */
function flatten(given: object): Record<string, unknown> {
  const parts = Object.entries(given).flatMap(([name, value]) => {
    if (isObject(value))
      return Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one])
    return [[name, value]]
  })
  return Object.fromEntries(parts) as Record<string, unknown>
}

function isListOfObjects(value: unknown): value is object[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject)
}

function toListText(
  rows: readonly unknown[],
  total: number,
  stdout: OutputStream,
  whenEmpty: string,
): string {
  const count = rows.length === total ? '' : `${rows.length} of ${total} in all.\n`
  if (rows.length === 0) return count === '' ? `${whenEmpty}\n` : count
  const records = rows.map((row) => flatten(isObject(row) ? row : { value: row }))
  const fields = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const cells = records.map((record) => fields.map((field) => toCell(record[field])))
  const width = stdout.isTTY ? stdout.columns : undefined
  const { cells: shown, left } = fitColumns(
    [fields.map((field) => field.toUpperCase()), ...cells],
    width,
  )
  const rest =
    left === 0 ? '' : `Fields not shown: ${fields.slice(-left).join(', ')}. --json shows them.\n`
  const note = count + rest
  return toTable(shown) + (note === '' ? '' : `\n${note}`)
}

function toCell(value: unknown): string {
  const text = showField(value)
  if (text.length > longestCell) return `${text.slice(0, longestCell - 1)}…`
  return text
}

function showField(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  const isPlainList = Array.isArray(value) && value.every((one) => typeof one !== 'object')
  if (isPlainList) return value.join(', ')
  return toJson(value)
}
