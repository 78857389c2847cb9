import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { TokenError } from '../../control/client/errors.ts'
import { EmptyState, Fact, Facts } from '../components/content.tsx'
import {
  Button,
  closeDialog,
  CopyCode,
  Confirmations,
  Dialog,
  openDialog,
} from '../components/controls.tsx'
import { bound, Form, TextField } from '../components/form/form.tsx'
import { focusList, panelCommands } from '../components/keys.ts'
import { Link, NavList, ViewHead } from '../components/layout.tsx'
import { Icon } from '../components/marks.tsx'
import { dismiss, toasts, undo } from '../components/toast.tsx'
import { toPlural } from '../components/words.ts'
import { changedOptions, isInlineChoice, toChoiceText } from '../data/choice.ts'
import { explainError } from '../data/control.ts'
import { keepToken, surfaceRoot, token } from '../data/surface.ts'
import type { Connection } from '../data/live.ts'
import { type Panel, PanelContext, useAnswer, usePanel } from '../data/panel.ts'
import { NewWorld, TopBar } from './bar.tsx'
import { Search } from './search.tsx'
import { switchAllOff, switchOffAt } from './world-actions.ts'
import { shownView, views } from '../views/index.ts'

export function PanelApp({ panel }: { panel: Panel }) {
  const dialog = openDialog.value
  const isAnyActive = panel.world.active.value.length > 0
  return (
    <PanelContext.Provider value={panel}>
      {/* Links could not do it: the hash of the URL is the route. */}
      <button type="button" class="skip" onClick={focusView}>
        Skip to the view
      </button>
      <button type="button" class="skip" onClick={() => focusList() ?? focusView()}>
        Skip to the list
      </button>
      <TopBar />
      <div class="body">
        <SideBar />
        <div class="content">
          <Banners />
          {isAnyActive && <ActiveBar />}
          <Outlet />
        </div>
      </div>
      <Toasts />
      <Confirmations />
      <TokenDialog />
      {dialog === 'keys' && <KeyList />}
      {dialog === 'search' && <Search />}
      {dialog === 'world' && <NewWorld />}
    </PanelContext.Provider>
  )
}

function focusView() {
  surfaceRoot().getElementById('view')?.focus()
}

function SideBar() {
  const { router } = usePanel()
  const items = views.map((view) => ({
    ...view,
    to: { view: view.id },
  }))
  return <NavList label="Views" kind="side-bar" items={items} chosen={shownView(router).id} />
}

function Toasts() {
  const here = usePanel().world.name.value
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((one) => (
        <div class={`toast line ${one.hasFailed ? 'toast-failed' : ''}`} key={one.id}>
          <Icon name={one.hasFailed ? 'close' : 'check'} />
          <span>{one.text}</span>
          {one.undo && one.world !== here && <small>in the world {one.world}</small>}
          {one.undo && (
            <Button kind="quiet" onClick={() => undo(one)} text={one.undoTitle ?? 'Undo'} />
          )}
          <Button icon="close" label="Dismiss" onClick={() => dismiss(one.id)} />
        </div>
      ))}
    </div>
  )
}

const whyUsedUp = 'It has acted as often as it may. Switch it off and on to let it act again.'

function ActiveBar() {
  const panel = usePanel()
  const active = panel.world.active.value
  const { data: library = [] } = useAnswer('GET /scenarios').value ?? {}
  return (
    <section class="active-bar line" aria-label="Active scenarios">
      <span class="is-extra muted">active</span>
      <ul>
        {active.map((one, index) => {
          const options = changedOptions(one, library)
          return (
            // The position decides: the next one takes the place, and the focus, of one that is off.
            <li key={index} class="active-scenario line tight" title={toChoiceText(one.choice)}>
              {isInlineChoice(one.choice) ? (
                <span>{one.name}</span>
              ) : (
                <Link class="nowrap" to={{ view: 'scenarios', rest: [one.name] }} text={one.name} />
              )}
              {options && <span class="muted clip">{options}</span>}
              {one.isUsedUp && (
                <span class="muted clip" title={whyUsedUp}>
                  used up
                </span>
              )}
              <Button
                icon="close"
                label={`Switch off ${one.label}`}
                onClick={() => switchOffAt(panel, index)}
              />
            </li>
          )
        })}
      </ul>
      <Button kind="quiet" onClick={() => switchAllOff(panel)} text="clear all" />
    </section>
  )
}

/** Asks for the token of the server. Where it was closed, a line at the bottom leads back to it. */
function TokenDialog() {
  const { live } = usePanel()
  const given = useSignal('')
  const isClosed = useSignal(false)
  const isChecking = useSignal(false)
  const connection = live.connection.value
  if (connection !== 'needs-token' && !(isChecking.value && connection === 'connecting'))
    return null
  if (isClosed.value)
    return (
      <Banner text="This server has a token, so the panel is locked.">
        <Button onClick={() => (isClosed.value = false)} text="Enter the token" />
      </Banner>
    )
  const enter = () => {
    keepToken(given.value)
    isChecking.value = true
    live.follow()
  }
  const isWrong = token.value !== '' && connection === 'needs-token'
  return (
    <Dialog title="This server has a token" onClose={() => (isClosed.value = true)}>
      <Form action="Enter" disabled={given.value === ''} onSubmit={enter}>
        <TextField
          title="Token"
          isRequired
          hint="The value of the server's --token. This tab keeps it until you close it."
          error={isWrong ? 'This token is wrong: the server rejects it.' : undefined}
          isSecret
          autofocus
          {...bound(given)}
        />
      </Form>
    </Dialog>
  )
}

function Outlet() {
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

function NoWorld({ title, isPossible }: { title: string; isPossible: boolean }) {
  const { control, world, router } = usePanel()
  const name = world.name.value
  const create = async () => {
    await control.call('PUT /worlds/{world}')
    await world.refresh()
  }
  const leave = <Button onClick={() => router.setParam('world', '')} text="Go to default" />
  return (
    <>
      <ViewHead title={title} />
      {isPossible ? (
        <EmptyState title={`There is no world “${name}” yet`}>
          <p>The first request to it creates it. You can create it now:</p>
          <div class="row">
            <Button kind="primary" onClick={create} text={`Create ${name}`} />
            {leave}
          </div>
        </EmptyState>
      ) : (
        <EmptyState title={`No world can have the name “${name}”`}>
          <p>
            A name has 1 to 64 letters, digits, dots, - or _. Perhaps the link was cut or changed on
            its way.
          </p>
          {leave}
        </EmptyState>
      )}
    </>
  )
}

const lost: Partial<Record<Connection, string>> = {
  lost: 'The server does not answer. You see its last state; the panel reconnects by itself.',
  crowded:
    'Too many pages are open: the server has as many streams of events as it allows. Close one; until then a reload shows what has changed.',
}

function Banners() {
  const { live, world } = usePanel()
  const seen = useSignal(0)
  const why = lost[live.connection.value]
  const error = /live|crowded/.test(live.connection.value) && world.error.value
  return (
    <>
      {why && <Banner text={why} />}
      {live.restarts.value !== seen.value && (
        <Banner
          role="status"
          text="The server was started again. What was shown of the one before is gone."
        >
          <Button
            icon="close"
            label="Dismiss"
            onClick={() => (seen.value = live.restarts.peek())}
          />
        </Banner>
      )}
      {error && (
        <Banner text={`The world ${world.name.value} could not be read: ${error.message}`}>
          <Button icon="redo" onClick={() => world.refresh()} text="Read it again" />
        </Banner>
      )}
      <Problems />
    </>
  )
}

function Banner({
  text,
  role = 'alert',
  children,
}: {
  text: string
  role?: 'alert' | 'status'
  children?: ComponentChildren
}) {
  return (
    <div class="banner row" role={role}>
      <span>{text}</span>
      {children}
    </div>
  )
}

function Problems() {
  const { value, error } = useAnswer('GET /problems', {}, ['problems'])
  const { data = [], watching } = value ?? {}
  // The line of the token says it already.
  if (error instanceof TokenError) return null
  if (error)
    return <Banner text={`The mistakes in files could not be read: ${explainError(error)}`} />
  if (data.length === 0) return null
  return (
    <section class="banner" role="alert">
      <strong>{toPlural(data.length, 'problem')} in files.</strong> Greenhouse keeps what it read
      before.{' '}
      {watching
        ? 'It reads the files again when you save them.'
        : 'With --watch it reads them again when you save them.'}
      <ul>
        {data.map(({ file, line, column, message }) => {
          const position = [file, line, column].filter(Boolean).join(':')
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

const inLists = [
  { keys: 'j k', title: 'Move in a list' },
  { keys: 'Enter', title: 'Open' },
  { keys: 'Esc', title: 'Close' },
]

function KeyList() {
  return (
    <Dialog title="Keys" onClose={closeDialog}>
      <Facts>
        {[...inLists, ...panelCommands.value.filter(({ title }) => title !== '')].map(
          ({ keys, title }) => (
            <Fact
              key={keys + title}
              title={keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            >
              {title}
            </Fact>
          ),
        )}
      </Facts>
    </Dialog>
  )
}
