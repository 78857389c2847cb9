import { useSignal } from '@preact/signals'
import { Badge, Button, Dialog, IconButton, TextField, type Tone } from '../components/index.ts'
import type { Connection } from '../data/live.ts'
import { usePanel } from '../data/panel.ts'
import { keepToken } from '../data/token.ts'

const shown: Readonly<Record<Connection, { readonly tone: Tone; readonly text: string; readonly title: string }>> = {
  connecting: { tone: 'waiting', text: 'connecting', title: 'The panel is connecting to the server.' },
  live: { tone: 'good', text: 'live', title: 'The panel shows changes as they happen.' },
  lost: { tone: 'gone', text: 'offline', title: 'The server does not answer. The panel keeps trying.' },
  refused: { tone: 'gone', text: 'no such world', title: 'The server answers, but no world can have this name.' },
  crowded: { tone: 'warning', text: 'not live', title: 'Too many pages are open. The panel keeps trying.' },
  'needs-token': { tone: 'warning', text: 'locked', title: 'The server requires its token.' },
}

export function ConnectionState() {
  const { tone, text, title } = shown[usePanel().live.connection.value]
  return (
    <span role="status">
      <Badge tone={tone} title={title}>
        {text}
      </Badge>
    </span>
  )
}

const whyLost = 'The server does not answer. You see its last state; the panel reconnects by itself.'
const whyCrowded =
  'Too many pages are open: the server has as many streams of events as it allows. Close one; until then a reload shows what has changed.'

export function LostBanner() {
  const { live } = usePanel()
  const why = { lost: whyLost, crowded: whyCrowded }[live.connection.value as string]
  return why ? (
    <p class="banner" role="alert">
      {why}
    </p>
  ) : null
}

export function RestartBanner() {
  const { live } = usePanel()
  const seen = useSignal(0)
  if (live.restarts.value === seen.value) return null
  return (
    <div class="banner row" role="status">
      <span>The server was started again. What was shown of the one before is gone: the panel began anew.</span>
      <IconButton icon="close" label="Dismiss" onClick={() => (seen.value = live.restarts.peek())} />
    </div>
  )
}

export function WorldBanner() {
  const { live, world } = usePanel()
  const error = world.error.value
  if (!error || !/live|crowded/.test(live.connection.value)) return null
  return (
    <div class="banner row" role="alert">
      <span>
        The world {world.name.value} could not be read: {error.message}
      </span>
      <Button icon="redo" onClick={() => world.refresh()}>
        Read it again
      </Button>
    </div>
  )
}

export function TokenDialog() {
  const { live, router } = usePanel()
  const given = useSignal('')
  const wasRefused = useSignal(false)
  if (live.connection.value !== 'needs-token') return null
  const enter = (event: Event) => {
    event.preventDefault()
    keepToken(given.value)
    wasRefused.value = true
    live.follow(router.world.peek())
  }
  return (
    <Dialog title="This server has a token" onClose={() => {}}>
      <form class="form" onSubmit={enter}>
        <TextField
          title="Token"
          isRequired
          hint="The value of the server's --token. This tab keeps it until you close it."
          error={wasRefused.value ? 'The server refused this token.' : undefined}
          isSecret
          autofocus
          of={given}
        />
        <div class="row">
          <span class="spacer" />
          <Button kind="primary" type="submit" disabled={given.value === ''}>
            Enter
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
