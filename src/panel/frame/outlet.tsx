import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button, IconButton } from '../components/controls.tsx'
import { ViewHead } from '../components/layout.tsx'
import { EmptyState } from '../components/states.tsx'
import type { Connection } from '../data/live.ts'
import { usePanel } from '../data/panel.ts'
import { shownView } from '../views/index.ts'

export function Outlet() {
  const { live, router, world, surface } = usePanel()
  const view = shownView(router)
  useEffect(() => {
    surface.setTitle(`${view.title} · Greenhouse`)
  }, [view])
  // A page has one main element. In a drawer, it belongs to the page.
  const Main = surface.close ? 'section' : 'main'
  return (
    <Main class="view" id="view" tabIndex={-1} aria-label={view.title}>
      {world.state.value === 'missing' || world.state.value === 'impossible' ? (
        <NoWorld title={view.title} isPossible={world.state.value === 'missing'} />
      ) : (
        // A view's state belongs to one world of one server.
        <view.component key={`${view.id} ${world.name.value} ${live.restarts.value}`} />
      )}
    </Main>
  )
}

function NoWorld({ title, isPossible }: { readonly title: string; readonly isPossible: boolean }) {
  const { control, world, router } = usePanel()
  const name = world.name.value
  return (
    <>
      <ViewHead title={title} />
      <EmptyState title={isPossible ? `There is no world “${name}” yet` : `No world can have the name “${name}”`}>
        <p>
          {isPossible
            ? 'The first request to it creates it. You can create it now:'
            : 'A name has 1 to 64 letters, digits, dots, - or _. Perhaps the link was cut or changed on its way.'}
        </p>
        <div class="row">
          {isPossible && (
            <Button
              kind="primary"
              onClick={async () => {
                await control.call('PUT /worlds/{world}', { body: {} })
                await world.refresh()
              }}
              text={`Create ${name}`}
            />
          )}
          <Button onClick={() => router.go({ params: { world: undefined } })} text="Go to default" />
        </div>
      </EmptyState>
    </>
  )
}

export function Banners() {
  return (
    <>
      <LostBanner />
      <RestartBanner />
      <WorldBanner />
    </>
  )
}

const lost: Readonly<Partial<Record<Connection, string>>> = {
  lost: 'The server does not answer. You see its last state; the panel reconnects by itself.',
  crowded:
    'Too many pages are open: the server has as many streams of events as it allows. Close one; until then a reload shows what has changed.',
}

function LostBanner() {
  const why = lost[usePanel().live.connection.value]
  return why ? (
    <p class="banner" role="alert">
      {why}
    </p>
  ) : null
}

function RestartBanner() {
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

function WorldBanner() {
  const { live, world } = usePanel()
  const error = world.error.value
  if (!error || !/live|crowded/.test(live.connection.value)) return null
  return (
    <div class="banner row" role="alert">
      <span>
        The world {world.name.value} could not be read: {error.message}
      </span>
      <Button icon="redo" onClick={() => world.refresh()} text="Read it again" />
    </div>
  )
}
