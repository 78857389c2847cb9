import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { toIso } from '../../core/time/time-text.ts'
import { Button, IconButton } from '../components/controls.tsx'
import { Confirmations, confirmed, Dialog } from '../components/dialog.tsx'
import { DialogForm, TextField } from '../components/form/field.tsx'
import { Link, revealIn } from '../components/layout.tsx'
import { Badge, FrozenBadge, type Tone } from '../components/marks.tsx'
import { Menu, type MenuItem } from '../components/menu.tsx'
import { attempt, forgetUndos, toast, Toasts } from '../components/toast.tsx'
import { toCountText } from '../components/words.ts'
import { choicesByKey, isInlineChoice, labelOfChoice, nameOfChoice, splitChoice, toChoiceText } from '../data/choice.ts'
import { useDraft } from '../data/form.ts'
import { keepToken } from '../data/kept.ts'
import type { Connection } from '../data/live.ts'
import { type Panel, PanelContext, usePanel } from '../data/panel.ts'
import { useResource } from '../data/resource.ts'
import { nextTheme, surfaceRoot, theme, useNarrow } from '../data/surface.ts'
import { Banners, Outlet } from './outlet.tsx'
import { KeyList, openDialog, Palette, toShownKey } from './palette.tsx'
import { switchAllOff, switchOffAt } from './switch.ts'
import { advanceClock, clockSteps, resetWorld } from './world-actions.ts'
import { type Count, goToWorld, shownView, views } from '../views/index.ts'

export function PanelApp({ panel, counts }: { panel: Panel; counts: ReadonlySignal<ReadonlyMap<string, Count>> }) {
  return (
    <PanelContext.Provider value={panel}>
      <button type="button" class="skip" onClick={skip}>
        Skip to the view
      </button>
      <TopBar />
      <div class="body">
        <SideBar counts={counts} />
        <div class="content">
          <Banners />
          <ActiveBar />
          <Outlet />
        </div>
      </div>
      <Toasts />
      <Confirmations />
      <TokenDialog />
      {openDialog.value === 'palette' && <Palette />}
      {openDialog.value === 'keys' && <KeyList />}
    </PanelContext.Provider>
  )
}

/** Focuses the view. A link could not, because the hash of the URL is the route. */
function skip(): void {
  surfaceRoot().getElementById('view')?.focus()
}

function SideBar({ counts }: { readonly counts: ReadonlySignal<ReadonlyMap<string, Count>> }) {
  const { router } = usePanel()
  const shown = shownView(router)
  const list = useRef<HTMLElement>(null)
  const isNarrow = useNarrow()
  // On a narrow screen, the names form one scrolling line.
  useEffect(() => {
    const current = list.current!.querySelector('[aria-current]')
    if (current) revealIn(list.current!, current)
  }, [shown, isNarrow])
  return (
    <nav class="nav-list side-bar" aria-label="Views" ref={list}>
      <ul>
        {views
          .filter(({ key }) => key)
          .map((view) => (
            <li key={view.id}>
              <a
                href={router.href({ view: view.id })}
                class="nav-link side-link line"
                aria-current={view === shown ? 'page' : undefined}
              >
                <span>{view.title}</span>
                <Changes count={counts.value.get(view.id)} />
              </a>
            </li>
          ))}
      </ul>
    </nav>
  )
}

function Changes({ count }: { readonly count: Count | undefined }) {
  if (!count) return null
  const { changed, hasFailed } = count
  return (
    <span
      class={`muted small ${hasFailed ? 'side-count-failed' : ''}`}
      title={hasFailed ? 'changes since you looked, with failures' : 'changes since you looked'}
    >
      {changed > 999 ? '999+' : toCountText(changed)}
      {hasFailed && '!'}
      <span class="hidden-text">{hasFailed ? ' changes, with failures' : ' changes'}</span>
    </span>
  )
}

function ActiveBar() {
  const { world } = usePanel()
  return world.active.value.length === 0 ? null : <Active />
}

const whyUsedUp = 'It has acted as often as it may. Switch it off and on to begin anew.'

function Active() {
  const panel = usePanel()
  const { control, world } = panel
  const active = world.active.value
  const library = useResource(async () => (await control.call('GET /scenarios')).data, []).value.value ?? []
  return (
    <section class="active-bar line" aria-label="Active scenarios">
      <span class="is-extra muted">active</span>
      <ul>
        {[...choicesByKey(active)].map(([key, choice], index) => {
          const [scenario, options] = splitChoice(choice, library)
          return (
            <li key={key} class="active-scenario line" title={toChoiceText(choice)}>
              {isInlineChoice(choice) ? (
                <span>{scenario}</span>
              ) : (
                <Link class="nowrap" to={{ view: 'scenarios', rest: [scenario] }}>
                  {scenario}
                </Link>
              )}
              {options && <span class="active-options muted clip">{options}</span>}
              {world.usedUp.value.includes(nameOfChoice(choice)) && (
                <span class="active-options muted clip" title={whyUsedUp}>
                  used up
                </span>
              )}
              <IconButton
                icon="close"
                label={`Switch off ${labelOfChoice(choice, active)}`}
                onClick={() => attempt(() => switchOffAt(panel, index, choice))}
              />
            </li>
          )
        })}
      </ul>
      <Button kind="quiet" onClick={() => attempt(() => switchAllOff(panel))} text="clear all" />
    </section>
  )
}

function TokenDialog() {
  const { live, router } = usePanel()
  const given = useSignal('')
  const wasRejected = useSignal(false)
  if (live.connection.value !== 'needs-token') return null
  const enter = (event: Event) => {
    event.preventDefault()
    keepToken(given.value)
    wasRejected.value = true
    live.follow(router.world.peek())
  }
  return (
    <Dialog title="This server has a token" onClose={() => {}}>
      <form class="form" onSubmit={enter}>
        <TextField
          title="Token"
          isRequired
          hint="The value of the server's --token. This tab keeps it until you close it."
          error={wasRejected.value ? 'The server refused this token.' : undefined}
          isSecret
          autofocus
          of={given}
        />
        <div class="row">
          <span class="spacer" />
          <Button kind="primary" type="submit" disabled={given.value === ''} text="Enter" />
        </div>
      </form>
    </Dialog>
  )
}

function TopBar() {
  const { router, surface } = usePanel()
  const { icon, label } = themes[theme.value]
  return (
    <header class="top-bar line">
      <a class="brand line" href={router.href({ view: 'traffic' })} aria-label="Greenhouse: traffic">
        <Leaf />
        <span>Greenhouse</span>
      </a>
      <WorldMenu />
      <WorldClockView />
      <div class="top-end line">
        <Link class="button button-plain" to={{ view: 'traffic', params: { tab: 'connect' } }}>
          Connect
        </Link>
        <button type="button" class="button button-plain palette-button" onClick={() => (openDialog.value = 'palette')}>
          <span class="muted">Actions </span>
          <kbd>{toShownKey('Mod+k')}</kbd>
        </button>
        <IconButton icon={icon} label={label} onClick={nextTheme} />
        <ConnectionState />
        {surface.close && <IconButton icon="close" label="Close the panel" onClick={surface.close} />}
      </div>
    </header>
  )
}

const themes = {
  system: { icon: 'system', label: 'System theme; switch to light' },
  light: { icon: 'sun', label: 'Light theme; switch to dark' },
  dark: { icon: 'moon', label: 'Dark theme; switch to system' },
} as const

function Leaf() {
  return (
    <svg class="leaf" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d="M2.5 13.5C2.5 6 7 2.5 13.5 2.5C13.5 9 10 13 4.5 11.5" />
      <path class="leaf-vein" d="M2.5 13.5C4 10 6.5 7.5 9.5 6" />
    </svg>
  )
}

function WorldMenu() {
  const panel = usePanel()
  const { world } = panel
  const isAsking = useSignal(false)
  const name = world.name.value
  const others: MenuItem[] = [...new Set([...world.worlds.value, name])]
    .sort()
    .map((other) => ({ title: other, checked: other === name, run: () => goToWorld(panel, other) }))
  return (
    <div class="line">
      <span class="world-label muted">world</span>
      <Menu
        onOpen={() => world.refresh()}
        label={`World ${name}: choose, add, reset, delete`}
        items={[
          ...others,
          { title: 'New world…', icon: 'plus', run: () => (isAsking.value = true) },
          { title: `Reset ${name}…`, icon: 'undo', run: () => resetWorld(panel) },
          {
            title: `Delete ${name}…`,
            icon: 'trash',
            kind: 'danger',
            disabled: name === 'default',
            run: () => deleteWorld(panel),
          },
        ]}
      >
        <span class="world-name clip">{name}</span>
      </Menu>
      {isAsking.value && <NewWorld onClose={() => (isAsking.value = false)} />}
    </div>
  )
}

function NewWorld({ onClose }: { readonly onClose: () => void }) {
  const panel = usePanel()
  const { control, world } = panel
  const draft = useDraft('new world')
  const [name, seed, now] = [draft.part('name', ''), draft.part('seed', ''), draft.part('now', '')]
  const isKnown = [...world.worlds.value, world.name.value].includes(name.value)
  const create = async () => {
    await control.call('PUT /worlds/{world}', {
      path: { world: name.value },
      body: {
        ...(seed.value !== '' && { seed: Number(seed.value) }),
        ...(now.value !== '' && { now: now.value }),
      },
    })
    const made = name.peek()
    draft.forget()
    onClose()
    goToWorld(panel, made)
    toast({ text: `Created the world ${made}` })
  }
  return (
    <DialogForm
      title="New world"
      action="Create"
      disabled={name.value === '' || isKnown}
      onSubmit={create}
      draft={draft}
      onClose={onClose}
    >
      <TextField
        title="Name"
        isRequired
        hint="1 to 64 letters, digits, dots, - or _. Clients name it in the key (key_pro@NAME), the path (/~NAME) or a header."
        error={isKnown ? 'A world with this name exists already.' : undefined}
        autofocus
        of={name}
      />
      <TextField title="Seed" hint="Decides everything random." inputMode="numeric" of={seed} />
      <TextField
        title="Clock starts at"
        hint="ISO 8601: 2026-01-31T12:00:00Z. The machine's time by default."
        of={now}
      />
    </DialogForm>
  )
}

function WorldClockView() {
  const panel = usePanel()
  const { world } = panel
  const now = world.now.value
  const clock = world.clock.value
  if (now === undefined || !clock) return <div class="clock line muted">no clock yet</div>
  const { frozen } = clock
  const text = toIso(now)
  return (
    <div class="clock line" role="group" aria-label="The world's clock">
      <time dateTime={text} title={`${text}, the clock of the world ${world.name.value}`} class="clock-time">
        <span class="clock-date muted">{text.slice(0, 10)} </span>
        {text.slice(11, 19)} <span class="clock-zone muted">UTC</span>
      </time>
      <FrozenBadge frozen={frozen} />
      <IconButton
        icon={frozen ? 'play' : 'pause'}
        label={frozen ? 'Let the clock run' : 'Freeze the clock'}
        onClick={() => world.changeClock({ frozen: !frozen })}
      />
      {clockSteps.map(([by, words]) => (
        <Button
          key={by}
          kind="quiet"
          label={`+${by}: advance the clock by ${words}`}
          title={`Advance the clock by ${words}`}
          onClick={() => advanceClock(panel, by, words)}
          text={`+${by}`}
        />
      ))}
    </div>
  )
}

const shown: Readonly<Record<Connection, { readonly tone: Tone; readonly text: string; readonly title: string }>> = {
  connecting: { tone: 'waiting', text: 'connecting', title: 'The panel is connecting to the server.' },
  live: { tone: 'good', text: 'live', title: 'The panel shows changes as they happen.' },
  lost: { tone: 'gone', text: 'offline', title: 'The server does not answer. The panel keeps trying.' },
  rejected: { tone: 'gone', text: 'no such world', title: 'The server answers, but no world can have this name.' },
  crowded: { tone: 'warning', text: 'not live', title: 'Too many pages are open. The panel keeps trying.' },
  'needs-token': { tone: 'warning', text: 'locked', title: 'The server requires its token.' },
}

function ConnectionState() {
  const { tone, text, title } = shown[usePanel().live.connection.value]
  return (
    <span role="status">
      <Badge tone={tone} title={title}>
        {text}
      </Badge>
    </span>
  )
}

async function deleteWorld(panel: Panel): Promise<void> {
  const { control, world } = panel
  const name = world.name.peek()
  const isWanted = await confirmed({
    title: `Delete the world ${name}?`,
    text: 'This deletes its data, traffic and snapshots. The next request to it creates a new world.',
    action: 'Delete',
  })
  if (!isWanted) return
  await control.call('DELETE /worlds/{world}', { path: { world: name } })
  // A request to the world would create it again.
  forgetUndos(name)
  goToWorld(panel, undefined)
  toast({ text: `Deleted ${name}` })
}
