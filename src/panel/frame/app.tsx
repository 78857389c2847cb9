import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Button, IconButton } from '../components/controls.tsx'
import { Confirmations, Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/form/field.tsx'
import { Link, revealIn, ViewHead } from '../components/layout.tsx'
import { EmptyState, ErrorState, Skeleton } from '../components/states.tsx'
import { attempt, Toasts } from '../components/toast.tsx'
import { toCountText } from '../components/words.ts'
import {
  choicesByKey,
  isInlineChoice,
  labelOfChoice,
  nameOfChoice,
  toChoiceText,
  withoutDefaults,
} from '../data/choice.ts'
import { keepToken } from '../data/kept.ts'
import { type Panel, PanelContext, usePanel } from '../data/panel.ts'
import { useResource } from '../data/resource.ts'
import { surfaceRoot, useNarrow } from '../data/surface.ts'
import { KeyList, openDialog, Palette } from './palette.tsx'
import { switchAllOff, switchOffAt } from './switch.ts'
import { TopBar } from './top-bar.tsx'
import { type Count, shownView, type View, views } from '../views/index.ts'

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
          <LostBanner />
          <RestartBanner />
          <WorldBanner />
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
    revealIn(list.current!, list.current!.querySelector('[aria-current]')!)
  }, [shown, isNarrow])
  return (
    <nav class="nav-list side-bar" aria-label="Views" ref={list}>
      <ul>
        {views.map((view) => (
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
  const { api, world } = panel
  const active = world.active.value
  const library = useResource(() => api.scenarios(), []).value.value ?? []
  return (
    <section class="active-bar line" aria-label="Active scenarios">
      <span class="active-title muted">active</span>
      <ul>
        {[...choicesByKey(active)].map(([key, choice], index) => {
          const text = toChoiceText(choice)
          const [scenario, options] = isInlineChoice(choice)
            ? [text]
            : toChoiceText(withoutDefaults(choice, library)).split(/:(.*)/s)
          return (
            <li key={key} class="active-scenario line" title={text}>
              {isInlineChoice(choice) ? (
                <span>{scenario}</span>
              ) : (
                <Link to={{ view: 'scenarios', rest: [scenario!] }}>{scenario}</Link>
              )}
              {options && <span class="active-options muted clip">{options.replaceAll(',', ' ')}</span>}
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

const whyLost = 'The server does not answer. You see its last state; the panel reconnects by itself.'
const whyCrowded =
  'Too many pages are open: the server has as many streams of events as it allows. Close one; until then a reload shows what has changed.'

function LostBanner() {
  const { live } = usePanel()
  const why = { lost: whyLost, crowded: whyCrowded }[live.connection.value as string]
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

const loaded = new Map<string, ComponentType>()

async function loadView(view: View): Promise<void> {
  loaded.set(view.id, (await view.load()).default)
}

export function preloadView({ router }: Panel): Promise<void> {
  return loadView(shownView(router)).catch(() => undefined)
}

function Outlet() {
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
        <Loading key={`${view.id} ${world.name.value} ${live.restarts.value}`} view={view} />
      )}
    </Main>
  )
}

function Loading({ view }: { readonly view: View }) {
  const { live } = usePanel()
  const failure = useSignal<Error | undefined>(undefined)
  const isThere = useSignal(loaded.has(view.id))
  const load = async () => {
    failure.value = undefined
    try {
      await loadView(view)
      isThere.value = true
    } catch (error) {
      failure.value = error as Error
    }
  }
  useEffect(() => {
    if (!isThere.peek()) void load()
  }, [])
  useSignalEffect(() => {
    if (live.connection.value === 'live' && failure.peek()) void load()
  })
  const Shown = isThere.value ? loaded.get(view.id) : undefined
  if (Shown) return <Shown />
  return failure.value ? <ErrorState error={failure.value} onRetry={load} /> : <Skeleton lines={8} />
}

function NoWorld({ title, isPossible }: { readonly title: string; readonly isPossible: boolean }) {
  const { api, world, router } = usePanel()
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
                await api.putWorld(name)
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
