import { confirmed } from '../components/controls.tsx'
import { change, chooseFile, forgetUndos, restore, toast } from '../components/toast.tsx'
import { toPlural } from '../components/words.ts'
import type { Panel } from '../data/panel.ts'
import type { OpenedCase, PanelChoice } from '../data/control.ts'
import type { ControlApi } from '../../control/client/control-api.ts'
import { type ActiveEntry, nameOfChoice } from '../data/choice.ts'

export async function resetWorld(panel: Panel) {
  const name = panel.world.name.peek()
  const text =
    'Its data, quotas, clock, scenarios and webhooks start anew. You can undo that, but the traffic is gone.'
  if (!(await confirmed(`Reset the world ${name}?`, text))) return
  await apply(panel, `Reset ${name}`, (control) =>
    control.call('POST /worlds/{world}/reset', { world: name }),
  )
}

export async function restoreSnapshot(panel: Panel, snapshot: string) {
  const name = panel.world.name.peek()
  const text = `Records, quotas, clock and scenarios of ${name} become what they were. You can undo that.`
  if (!(await confirmed(`Restore the snapshot ${snapshot}?`, text))) return
  await apply(panel, `Restored ${snapshot}`, (control) => restore(control, name, snapshot))
}

export async function deleteWorld(panel: Panel) {
  const { control, world } = panel
  const name = world.name.peek()
  const text =
    'This deletes its data, traffic and snapshots. The next request to it creates a new world.'
  if (!(await confirmed(`Delete the world ${name}?`, text))) return
  await control.call('DELETE /worlds/{world}', { world: name })
  // A request to the world would create it again.
  forgetUndos(name)
  panel.router.go({
    view: 'traffic',
    params: { world: 'default' },
  })
  toast(`Deleted ${name}`)
}

export const clockSteps = [
  ['1m', '1 minute'],
  ['1h', '1 hour'],
  ['1d', '1 day'],
] as const

export const advanceClock = (panel: Panel, advance: string, words: string) =>
  apply(panel, `Advanced the clock by ${words}`, (control) =>
    control.call('PATCH /worlds/{world}/clock', { advance }),
  )

export async function clearTraffic({ control, world }: Panel) {
  const name = world.name.peek()
  const text = `This removes all requests from the journal of the world ${name}. Data, quotas and scenarios stay.`
  if (!(await confirmed('Clear the traffic?', text))) return
  await control.call('DELETE /worlds/{world}/journal', { world: name })
  toast(`Cleared the traffic of ${name}`)
}

export async function takeSnapshot({ control, world }: Panel, snapshot: string): Promise<boolean> {
  const place = { world: world.name.peek(), snapshot }
  const text = 'A snapshot with this name exists. The new one replaces it.'
  const isKnown = world.snapshots.peek().includes(snapshot)
  if (isKnown && !(await confirmed(`Replace the snapshot ${snapshot}?`, text))) return false
  await control.call('PUT /worlds/{world}/snapshots/{snapshot}', place)
  await world.refresh()
  toast(`Took the snapshot ${snapshot}`)
  return true
}

export const freeSnapshotName = (taken: readonly string[]) =>
  freeName(taken, (number) => `snapshot-${taken.length + number}`)

function freeName(taken: readonly string[], nameOf: (number: number) => string): string {
  let number = 1
  while (taken.includes(nameOf(number))) number++
  return nameOf(number)
}

/** The largest file to open, in bytes as it is sent: a call of the control API takes no more. */
const largestSent = 2 ** 20 - 2 ** 12

export async function openCase({ control, world, router }: Panel) {
  const file = await chooseFile('.yaml,.yml,.json,.har')
  if (!file) return
  const text = await file.text()
  if (new Blob([JSON.stringify(text)]).size > largestSent) {
    const advice = file.name.toLowerCase().endsWith('.har')
      ? 'Save fewer requests in it'
      : `Open it with: greenhouse-mock serve --case ${file.name}`
    throw new Error(`As JSON text, ${file.name} is larger than 1 MiB. ${advice}.`)
  }
  const name = freeWorldName(file.name, world.worlds.peek())
  const opened = await control.call('PUT /worlds/{world}/case', {
    world: name,
    file: file.name,
    text,
  })
  await world.refresh()
  router.go({
    view: 'traffic',
    params: { world: name },
    rest: [],
  })
  toast(describeOpenedCase(file.name, opened), { hasFailed: opened.differences.length > 0 })
}

function freeWorldName(file: string, taken: readonly string[]): string {
  const plain = file.replace(/(\.case)?\.(ya?ml|json|har)$/i, '').replaceAll(/[^\w.-]+/g, '-')
  const name = plain.slice(0, 50) || 'case'
  return freeName(taken, (number) => (number === 1 ? name : `${name}-${number}`))
}

function describeOpenedCase(
  file: string,
  { title, requests, left_out_because, differences }: OpenedCase,
): string {
  const left = left_out_because.map(({ reason, requests: some }) => `, left out ${some} ${reason}`)
  const what = `Opened ${title ?? file}: ${toPlural(requests, 'request')}${left.join('')}`
  const [first] = differences
  if (first) return `${what}. Here ${first.request} is answered differently: ${first.field}`
  return `${what}, answered as recorded`
}

/**
 * One that is on keeps its position and gets the options of `choice`; of one that is on twice, the
 * first gets them.
 */
export async function switchOn(panel: Panel, choice: PanelChoice, text?: string) {
  const all = panel.world.active.peek()
  const name = nameOfChoice(choice)
  const index = all.findIndex((one) => one.name === name)
  const place = index < 0 ? undefined : index
  await apply(panel, text ?? `${name} is active`, (control) => {
    if (isOnTwice(all, name)) return replaceAll(control, toChoices(all).toSpliced(index, 1, choice))
    return control.call('POST /worlds/{world}/scenarios', {
      active: [choice],
      place,
    })
  })
}

export const switchOff = (panel: Panel, name: string) =>
  switchOffSome(panel, name, name, (one) => one.name !== name)

export async function switchOffAt(panel: Panel, index: number) {
  const one = panel.world.active.peek()[index]
  if (one) await switchOffSome(panel, one.id, one.name, (_, at) => at !== index)
}

async function switchOffSome(
  panel: Panel,
  scenario: string,
  name: string,
  stays: (one: ActiveEntry, at: number) => boolean,
) {
  const all = panel.world.active.peek()
  await apply(panel, `Switched off ${name}`, (control) => {
    if (isOnTwice(all, name)) return replaceAll(control, toChoices(all.filter(stays)))
    return control.call('DELETE /worlds/{world}/scenarios/{scenario}', { scenario })
  })
}

export async function switchAllOff(panel: Panel) {
  const { length } = panel.world.active.peek()
  const text =
    length === 0 ? 'No scenario was active' : `Switched off ${toPlural(length, 'scenario')}`
  await apply(panel, text, (control) => control.call('DELETE /worlds/{world}/scenarios'))
}

async function apply(panel: Panel, text: string, work: (control: ControlApi) => Promise<unknown>) {
  await change(panel, text, async (control) => {
    await work(control)
    await panel.world.refresh()
  })
}

/**
 * The server switches by name, which means both of the same; so all are replaced, and count from 0.
 */
const isOnTwice = (all: readonly ActiveEntry[], name: string) =>
  all.filter((one) => one.name === name).length > 1

const toChoices = (all: readonly ActiveEntry[]): readonly PanelChoice[] =>
  all.map(({ choice }) => choice)

const replaceAll = (control: ControlApi, active: readonly PanelChoice[]) =>
  control.call('PUT /worlds/{world}/scenarios', { active })
