import { registerAction, type Action } from '../components/actions.ts'
import { registerKey, type KeyBinding } from '../components/keys.ts'
import { toast, undoLast } from '../components/index.ts'
import type { Panel } from '../data/panel.ts'
import { surfaceRoot } from '../data/surface.ts'
import { theme, type Theme } from '../data/theme.ts'
import { views } from '../views/index.ts'
import { clearTraffic } from './clear-traffic.ts'
import { openCase } from './open-case.ts'
import { openDialog } from './open-dialog.ts'
import { switchAllOff } from './switch.ts'
import { takeSnapshot } from './take-snapshot.ts'
import { resetWorld } from './go-back.ts'

const steps = [
  ['1m', '1 minute'],
  ['1h', '1 h'],
  ['1d', '1 day'],
  ['30d', '30 days'],
] as const

export function registerBase(panel: Panel): void {
  const { world, router, surface } = panel
  const change = (wanted: { advance?: string; frozen?: boolean }) => world.changeClock(world.name.peek(), wanted)
  const goTo: Action[] = views.map(({ id, title, key }) => ({
    id: `go:${id}`,
    title: `Go to ${title}`,
    keywords: 'view show open',
    keys: `g ${key}`,
    run: () => router.go({ view: id }),
  }))
  const base: Action[] = [
    ...goTo,
    ...steps.map(([advance, words]) => ({
      id: `advance:${advance}`,
      title: `Advance ${words}`,
      keywords: 'clock time move',
      run: async () => {
        await change({ advance })
        toast({ text: `Advanced the clock by ${words}` })
      },
    })),
    { id: 'clock:freeze', title: 'Freeze the clock', keywords: 'stop time', run: () => change({ frozen: true }) },
    { id: 'clock:run', title: 'Let the clock run', keywords: 'start time', run: () => change({ frozen: false }) },
    {
      id: 'clock:next',
      title: 'Run to what is due next',
      keywords: 'clock time advance due',
      run: async () => {
        const { done } = await world.runNext(world.name.peek())
        const [first, ...rest] = done
        toast({
          text: first ? `${first.title}${rest.length > 0 ? `, and ${rest.length} more` : ''}` : 'Nothing is due',
        })
      },
    },
    { id: 'world:reset', title: 'Reset world', keywords: 'start anew', run: () => resetWorld(panel) },
    {
      id: 'scenarios:clear',
      title: 'Switch off all scenarios',
      keywords: 'clear',
      run: () => switchAllOff(panel),
    },
    {
      id: 'undo',
      title: 'Undo the last change',
      keywords: 'take back revert',
      run: () => void (undoLast() || toast({ text: 'There is nothing to undo any more' })),
    },
    { id: 'snapshots:take', title: 'Take a snapshot', keywords: 'save data state', run: () => takeSnapshot(panel) },
    {
      id: 'snapshots:show',
      title: 'Show the snapshots',
      keywords: 'compare restore data',
      run: () => router.go({ view: 'data', params: { face: 'snapshots' } }),
    },
    {
      id: 'code:curl',
      title: 'Show code for curl, fetch and test runners',
      keywords: 'snippet example base url',
      run: () => router.go({ view: 'overview', params: { code: 'curl' } }),
    },
    {
      id: 'deliveries:show',
      title: 'Show the deliveries of webhooks',
      keywords: 'redeliver send again retry',
      run: () => router.go({ view: 'webhooks', rest: ['deliveries'] }),
    },
    {
      id: 'case:open',
      title: 'Open a case or HAR…',
      keywords: 'file replay archive import load',
      run: () => openCase(panel),
    },
    {
      id: 'journal:clear',
      title: 'Clear the traffic',
      keywords: 'journal requests',
      run: () => clearTraffic(panel),
    },
    ...(['system', 'light', 'dark'] as const).map((name: Theme) => ({
      id: `theme:${name}`,
      title: name === 'system' ? 'Use the system theme' : `Use the ${name} theme`,
      keywords: 'theme colours light dark',
      run: () => void (theme.value = name),
    })),
    {
      id: 'keys',
      title: 'Show keyboard shortcuts',
      keywords: 'shortcuts help',
      keys: '?',
      run: () => void (openDialog.value = 'keys'),
    },
  ]
  const close = surface.close
  if (close) base.push({ id: 'close', title: 'Close the panel', keywords: 'hide drawer', run: close })
  const keys: KeyBinding[] = [
    ...(close ? [{ keys: 'Escape', title: 'Close the panel', run: close }] : []),
    ...goTo.map(({ title, keys, run }) => ({ keys: keys!, title, run })),
    { keys: 'Mod+k', title: 'Open the palette', whileTyping: true, run: togglePalette },
    { keys: '?', title: 'Show keyboard shortcuts', run: () => (openDialog.value = 'keys') },
    {
      keys: '/',
      title: 'Go to the filter',
      run: () => surfaceRoot().querySelector<HTMLElement>('[data-filter]')?.focus(),
    },
  ]
  for (const end of [...base.map(registerAction), ...keys.map(registerKey)]) panel.onEnd(end)
  panel.onEnd(() => (openDialog.value = undefined))
}

function togglePalette(): void {
  openDialog.value = openDialog.value === 'palette' ? undefined : 'palette'
}
