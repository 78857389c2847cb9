import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button, CopyCode } from '../components/controls.tsx'
import { ViewHead } from '../components/layout.tsx'
import { EmptyState } from '../components/content.tsx'
import { toPlural } from '../components/words.ts'
import { toMessage } from '../data/control.ts'
import type { Connection } from '../data/live.ts'
import { usePanel, useResource } from '../data/panel.ts'
import { shownView } from '../views/index.ts'

export function Outlet() {
  const { live, router, world, surface } = usePanel()
  const view = shownView(router)
  useEffect(() => {
    surface.setTitle(`${view.title} · Greenhouse`)
  }, [view])
  // A page has one main element. In a drawer, it belongs to the page.
  const Main = surface.close ? 'section' : 'main'
  const state = world.state.value
  return (
    <Main class="view" id="view" tabIndex={-1} aria-label={view.title}>
      {state === 'missing' || state === 'impossible' ? (
        <NoWorld title={view.title} isPossible={state === 'missing'} />
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
  const create = async () => {
    await control.call('PUT /worlds/{world}', { body: {} })
    await world.refresh()
  }
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
          {isPossible && <Button kind="primary" onClick={create} text={`Create ${name}`} />}
          <Button onClick={() => router.go({ params: { world: undefined } })} text="Go to default" />
        </div>
      </EmptyState>
    </>
  )
}

const lost: Readonly<Partial<Record<Connection, string>>> = {
  lost: 'The server does not answer. You see its last state; the panel reconnects by itself.',
  crowded:
    'Too many pages are open: the server has as many streams of events as it allows. Close one; until then a reload shows what has changed.',
}

export function Banners() {
  const { live, world } = usePanel()
  const seen = useSignal(0)
  const why = lost[live.connection.value]
  const error = /live|crowded/.test(live.connection.value) && world.error.value
  return (
    <>
      {why && (
        <p class="banner" role="alert">
          {why}
        </p>
      )}
      {live.restarts.value !== seen.value && (
        <div class="banner row" role="status">
          <span>The server was started again. What was shown of the one before is gone.</span>
          <Button icon="close" label="Dismiss" onClick={() => (seen.value = live.restarts.peek())} />
        </div>
      )}
      {error && (
        <div class="banner row" role="alert">
          <span>
            The world {world.name.value} could not be read: {error.message}
          </span>
          <Button icon="redo" onClick={() => world.refresh()} text="Read it again" />
        </div>
      )}
      <Problems />
    </>
  )
}

function Problems() {
  const { control } = usePanel()
  const { value, error } = useResource(() => control.call('GET /problems'), [], ['problems'])
  const { data = [], watching } = value.value ?? {}
  if (error.value) return <p class="banner">The mistakes in files could not be read: {toMessage(error.value)}</p>
  if (data.length === 0) return null
  return (
    <section class="banner" role="alert">
      <strong>{toPlural(data.length, 'problem')} in files.</strong> Greenhouse keeps what it read before.{' '}
      {watching
        ? 'It reads the files again when you save them.'
        : 'With --watch it reads them again when you save them.'}
      <ul>
        {data.map(({ file, line, column, message }) => {
          const position = [file, line, column].filter((part) => part ?? false).join(':')
          return (
            <li class="row" key={position + message}>
              <CopyCode text={position} />
              <span>{message}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
