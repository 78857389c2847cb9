import { toIso } from '../../core/time/time-text.ts'
import { Button, closeDialog, Menu, Select, Dialog, openDialog } from '../components/controls.tsx'
import { Form, TextField, useTexts } from '../components/form/form.tsx'
import { Link } from '../components/layout.tsx'
import { useRoving } from '../components/lists.tsx'
import { Badge, Tag, type Tone } from '../components/marks.tsx'
import { toast } from '../components/toast.tsx'
import { useAnswer, usePanel } from '../data/panel.ts'
import type { Connection } from '../data/live.ts'
import { nextTheme, theme } from '../data/surface.ts'
import { advanceClock, clockSteps, deleteWorld, resetWorld } from './world-actions.ts'
import { goToWorld } from '../views/index.ts'

export function TopBar() {
  const { router, surface } = usePanel()
  const themeName = theme.value.charAt(0).toUpperCase() + theme.value.slice(1)
  return (
    <header class="top-bar line">
      <a
        class="brand line"
        href={router.href({ view: 'traffic' })}
        aria-label="Greenhouse: traffic"
      >
        <svg class="leaf" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2.5 13.5C2.5 6 7 2.5 13.5 2.5C13.5 9 10 13 4.5 11.5" />
          <path fill="none" d="M2.5 13.5C4 10 6.5 7.5 9.5 6" />
        </svg>
        <span>Greenhouse</span>
      </a>
      <WorldMenu />
      <WorldClockView />
      <TargetsView />
      <div class="top-end line">
        <Link
          class="button button-plain"
          to={{ view: 'traffic', params: { tab: 'connect' } }}
          text="Connect"
        />
        <button
          type="button"
          class="button button-plain"
          onClick={() => (openDialog.value = 'search')}
        >
          <span>Search </span>
          <kbd class="muted">/</kbd>
        </button>
        <button
          type="button"
          class="button button-plain is-extra"
          onClick={() => (openDialog.value = 'keys')}
        >
          <span>Keys </span>
          <kbd class="muted">?</kbd>
        </button>
        <span class="theme">
          <Button
            icon="moon"
            label={`${themeName} theme; switch to ${nextTheme.value}`}
            onClick={() => void (theme.value = nextTheme.value)}
          />
        </span>
        <ConnectionState />
        {surface.close && <Button icon="close" label="Close the panel" onClick={surface.close} />}
      </div>
    </header>
  )
}

function TargetsView() {
  const targets = useAnswer('GET /start').value?.targets
  return (
    targets && (
      <Tag
        title="The real service that answers"
        text={`→ ${[...new Set(Object.values(targets))].join(', ')}`}
      />
    )
  )
}

function WorldMenu() {
  const panel = usePanel()
  const { world } = panel
  const name = world.name.value
  // The list is up to date before it opens.
  const refresh = () => void world.refresh()
  return (
    <div class="world line" onFocusIn={refresh} onPointerEnter={refresh}>
      <span class="world-label muted">world</span>
      <Select
        label="World"
        value={name}
        options={[...new Set([...world.worlds.value, name])].sort()}
        onChange={(other) => goToWorld(panel, other)}
      />
      <Menu
        label="Manage worlds"
        items={[
          { title: 'New world…', icon: 'plus', run: () => (openDialog.value = 'world') },
          { title: `Reset ${name}…`, icon: 'undo', run: () => resetWorld(panel) },
          {
            title: `Delete ${name}…`,
            icon: 'trash',
            kind: 'danger',
            disabled: name === 'default',
            run: () => deleteWorld(panel),
          },
        ]}
      />
    </div>
  )
}

export function NewWorld() {
  const panel = usePanel()
  const { control, world } = panel
  const { texts, input } = useTexts({
    name: '',
    seed: '',
    now: '',
  })
  const { name, seed, now } = texts
  const isKnown = [...world.worlds.value, world.name.value].includes(name)
  const create = async () => {
    // The server explains a text that is no number.
    const number = (Number.isNaN(Number(seed)) ? seed : Number(seed)) as number
    const start = {
      seed: seed ? number : undefined,
      now: now || undefined,
    }
    await control.call('PUT /worlds/{world}', {
      ...start,
      world: name,
    })
    closeDialog()
    goToWorld(panel, name)
    toast(`Created the world ${name}`)
  }
  return (
    <Dialog title="New world" onClose={closeDialog}>
      <Form
        action="Create"
        disabled={name === '' || isKnown}
        onSubmit={create}
        onCancel={closeDialog}
      >
        <TextField
          title="Name"
          isRequired
          hint="1 to 64 letters, digits, dots, - or _. Clients name it in the key (key_pro@NAME), the path (/~NAME) or a header."
          error={isKnown ? 'A world with this name exists already.' : undefined}
          autofocus
          {...input('name')}
        />
        <TextField
          title="Seed"
          hint="Decides everything random."
          inputMode="numeric"
          {...input('seed')}
        />
        <TextField
          title="Clock starts at"
          hint="ISO 8601: 2026-01-31T12:00:00Z. By default, it is that of the machine."
          {...input('now')}
        />
      </Form>
    </Dialog>
  )
}

function WorldClockView() {
  const panel = usePanel()
  const { world } = panel
  const now = world.now.value
  const clock = world.clock.value
  const roving = useRoving<HTMLDivElement>('button')
  const text = now === undefined ? '' : toIso(now)
  return (
    <div class="clock line tight" role="toolbar" aria-label="The world's clock" {...roving}>
      {!clock ? (
        <small>no clock yet</small>
      ) : (
        <>
          <time
            dateTime={text}
            title={`${text}, the clock of the world ${world.name.value}`}
            class="clock-time"
          >
            <span class="clock-date muted">{text.slice(0, 10)} </span>
            {text.slice(11, 19)} <span class="clock-zone muted">UTC</span>
          </time>
          <Badge text={clock.frozen ? 'frozen' : 'runs'} />
          <Button
            icon={clock.frozen ? 'play' : 'pause'}
            label={clock.frozen ? 'Let the clock run' : 'Freeze the clock'}
            onClick={() => world.changeClock({ frozen: !clock.frozen })}
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
        </>
      )}
    </div>
  )
}

const connections: Readonly<
  Record<Connection, readonly [tone: Tone, text: string, title: string]>
> = {
  connecting: ['waiting', 'connecting', 'The panel is connecting to the server.'],
  live: ['good', 'live', 'The panel shows changes as they happen.'],
  lost: ['gone', 'offline', 'The server does not answer. The panel keeps trying.'],
  rejected: ['gone', 'no such world', 'The server answers, but no world can have this name.'],
  crowded: ['warning', 'not live', 'Too many pages are open. The panel keeps trying.'],
  'needs-token': ['warning', 'locked', 'The server requires its token.'],
}

function ConnectionState() {
  const { live, world } = usePanel()
  const [tone, text, title] =
    connections[world.state.value === 'impossible' ? 'rejected' : live.connection.value]
  return (
    <span role="status">
      <Badge tone={tone} text={text} title={title} />
    </span>
  )
}
