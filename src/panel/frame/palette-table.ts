import { keyIn } from '../../core/http/urls.ts'
import { openDialog, showKeyOnce } from '../components/controls.tsx'
import { undoLast } from '../components/toast.tsx'
import type { Panel } from '../data/panel.ts'
import type { RouteChange } from '../data/router.ts'
import {
  advanceClock,
  clearTraffic,
  clockSteps,
  deleteWorld,
  openCase,
  resetWorld,
  runNext,
  switchAllOff,
  takeSnapshot,
} from './world-actions.ts'
import { saveArchive, saveCase } from '../views/traffic/detail.tsx'

/** What is done at once, asking first where it deletes; or the place in the panel with its form or list. */
type Way = ((panel: Panel) => unknown) | RouteChange

export type PaletteEntry = readonly [title: string, keywords: string, way: Way]

const at = (view: string, params: RouteChange['params'] = {}, rest: readonly string[] = []): RouteChange => ({
  view,
  rest,
  params,
})
const keys = at('data', {}, ['keys'])
const accounts = at('data', {}, ['accounts'])
const snapshots = at('data', { tab: 'snapshots' })
const assumptions = at('scenarios', { tab: 'assumptions' })
const newScenario = at('scenarios', { new: '' })

/** The actions of the control API, by id, with their titles there. test/control/surfaces has the others, and why. */
export const ofActions: Readonly<Record<string, PaletteEntry>> = {
  'server.start': ['Show base URLs and keys', 'connect code snippet curl fetch', at('traffic', { tab: 'connect' })],
  'operations.list': ['List all operations', 'compose send new request docs', at('traffic', { compose: '' })],
  'journal.list': ['List requests and replies', 'traffic journal', at('traffic')],
  'journal.clear': ['Clear the journal', 'traffic requests delete', clearTraffic],
  'journal.archive': ['Export the journal as HAR', 'download save traffic', saveArchive],
  'evidence.read': ['Show the report card and coverage', 'evidence', at('traffic', { tab: 'report' })],
  'cases.save': ['Save the world as a case', 'download export', (panel) => saveCase(panel)],
  'cases.open': ['Open a case or a HAR file', 'replay import load archive', openCase],
  'scenarios.list': ['List all scenarios', 'faults', at('scenarios')],
  'scenarios.use': ['Switch a scenario on', 'use activate', at('scenarios')],
  'scenarios.stop': ['Switch a scenario off', 'deactivate', at('scenarios')],
  'scenarios.clear': ['Switch all scenarios off', 'clear', switchAllOff],
  'scenarios.check': ['Check the text of a scenario', 'validate yaml', newScenario],
  'scenarios.save': ['Save a scenario as a file', 'new create write yaml', newScenario],
  'assumptions.list': ['List all assumptions', 'gaps', assumptions],
  'assumptions.change': ['Change assumptions', 'assume', assumptions],
  'clock.change': ['Move, freeze or start the clock', 'time set', at('time')],
  'clock.due': ['List what happens next', 'due time', at('time')],
  'clock.next': ['Move the clock to what happens next', 'run due advance time', runNext],
  'worlds.start': ['Start a world again, as you say', 'new create seed', () => void (openDialog.value = 'world')],
  'worlds.undo': ['Undo a change', 'last take back revert', undoLast],
  'worlds.reset': ['Reset the world', 'again', resetWorld],
  'worlds.delete': ['Delete a world', 'remove', deleteWorld],
  'collections.list': ['List the collections', 'data records', at('data')],
  'records.list': ['List records', 'data table', at('data')],
  'records.create': ['Create a record', 'add new', addRecord],
  'records.change': ['Change a record', 'edit', at('data')],
  'records.delete': ['Delete a record', 'remove', at('data')],
  'records.export': ['Export the records as fixtures', 'download save data yaml', at('data')],
  'snapshots.list': ['List the snapshots', 'show', snapshots],
  'snapshots.save': ['Save a snapshot', 'take data state', (panel) => takeSnapshot(panel)],
  'snapshots.compare': ['Compare the records with a snapshot', 'difference changes', snapshots],
  'snapshots.restore': ['Go back to a snapshot', 'restore', snapshots],
  'snapshots.delete': ['Delete a snapshot', 'remove', snapshots],
  'accounts.list': ['List the accounts', 'plans', accounts],
  'accounts.change': ['Change the plan of an account', 'upgrade', accounts],
  'accounts.refill': ['Refill a quota', 'rate limit', accounts],
  'keys.list': ['List the API keys', 'tokens', keys],
  'keys.create': ['Create an API key', 'new generate token', createKey],
  'keys.change': ['Revoke a key, or let it expire', 'token', keys],
  'keys.delete': ['Delete a key', 'remove token', keys],
  'events.trigger': ['Trigger a webhook event', 'send', at('webhooks', { trigger: '' })],
  'deliveries.list': ['List webhook deliveries', 'show attempts', at('webhooks')],
  'deliveries.repeat': ['Deliver again', 'redeliver webhook send retry', at('webhooks')],
  'webhooks.grade': ['Grade a receiver', 'webhook report', at('webhooks')],
  'webhooks.examine': ['Examine a receiver', 'webhook report test', at('webhooks')],
}

/** One value of an action, and what is the page's own. */
export const further: Readonly<Record<string, PaletteEntry>> = {
  ...Object.fromEntries(
    clockSteps.map(([by, words]): [string, PaletteEntry] => [
      `advance:${by}`,
      [`Advance the clock by ${words}`, 'time move', (panel) => advanceClock(panel, by, words)],
    ]),
  ),
  freeze: ['Freeze the clock', 'stop time pause', ({ world }) => world.changeClock({ frozen: true })],
  run: ['Let the clock run', 'start time', ({ world }) => world.changeClock({ frozen: false })],
}

async function createKey({ control, router, world }: Panel): Promise<void> {
  const { view, rest } = router.route.peek()
  const [shown] = view === 'data' && rest[0] === 'accounts' ? rest.slice(1) : []
  const { keys } = await control.call('GET /start')
  const account = shown ?? Object.values(keys)[0]?.account
  if (account === undefined) return router.go(at('data', { new: '' }, ['keys']))
  const { secret } = await control.call('POST /worlds/{world}/keys', { body: { account } })
  await showKeyOnce(`A key of ${account}`, keyIn(world.name.peek(), secret))
}

function addRecord({ router }: Panel): void {
  const { view, rest } = router.route.peek()
  router.go(at('data', { new: '' }, [(view === 'data' && rest[0]) || 'plants']))
}
