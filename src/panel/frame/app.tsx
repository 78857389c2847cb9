import type { ReadonlySignal } from '@preact/signals'
import { Button } from '../components/controls.tsx'
import { Confirmations, openDialog } from '../components/dialog.tsx'
import { focusList } from '../components/keys.ts'
import { Link, NavList } from '../components/layout.tsx'
import { Toasts } from '../components/toast.tsx'
import { toCountText } from '../components/words.ts'
import { changedOptions, isInlineChoice, toChoiceText } from '../data/choice.ts'
import { type Panel, PanelContext, usePanel, useResource } from '../data/panel.ts'
import { surfaceRoot } from '../data/surface.ts'
import { NewWorld, TopBar } from './bar.tsx'
import { Banners, Outlet } from './outlet.tsx'
import { KeyList, Palette } from './palette.tsx'
import { switchAllOff, switchOffAt } from './switch.ts'
import { TokenDialog } from './token.tsx'
import { type Count, shownView, views } from '../views/index.ts'

type Counts = ReadonlySignal<ReadonlyMap<string, Count>>

export function PanelApp({ panel, counts }: { readonly panel: Panel; readonly counts: Counts }) {
  const dialog = openDialog.value
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
      {dialog === 'palette' && <Palette />}
      {dialog === 'keys' && <KeyList />}
      {dialog === 'world' && <NewWorld />}
    </PanelContext.Provider>
  )
}

function focusView(): void {
  surfaceRoot().getElementById('view')?.focus()
}

function SideBar({ counts }: { readonly counts: Counts }) {
  const { router } = usePanel()
  const items = views
    .filter(({ key }) => key)
    .map(({ id, title }) => ({ id, title, href: router.href({ view: id }), note: toNote(counts.value.get(id)) }))
  return <NavList label="Views" kind="side-bar" items={items} chosen={shownView(router).id} />
}

function toNote(count: Count | undefined) {
  if (!count) return undefined
  const { changed, hasFailed } = count
  const title = hasFailed ? 'changes since you looked, with failures' : 'changes since you looked'
  return (
    <span class={hasFailed ? 'red' : ''} title={title}>
      {changed > 999 ? '999+' : toCountText(changed)}
      {hasFailed && '!'}
      <span class="hidden-text"> {title}</span>
    </span>
  )
}

function ActiveBar() {
  return usePanel().world.active.value.length === 0 ? null : <Active />
}

const whyUsedUp = 'It has acted as often as it may. Switch it off and on to let it act again.'

function Active() {
  const panel = usePanel()
  const { control, world } = panel
  const active = world.active.value
  const library = useResource(async () => (await control.call('GET /scenarios')).data, []).value.value ?? []
  return (
    <section class="active-bar line" aria-label="Active scenarios">
      <span class="is-extra muted">active</span>
      <ul>
        {active.map((one, index) => {
          const options = changedOptions(one, library)
          return (
            // By position: the next one takes the place, and the focus, of one that is switched off.
            <li key={index} class="active-scenario line tight" title={toChoiceText(one.choice)}>
              {isInlineChoice(one.choice) ? (
                <span>{one.name}</span>
              ) : (
                <Link class="nowrap" to={{ view: 'scenarios', rest: [one.name] }}>
                  {one.name}
                </Link>
              )}
              {options && <span class="muted clip">{options}</span>}
              {one.isUsedUp && (
                <span class="muted clip" title={whyUsedUp}>
                  used up
                </span>
              )}
              <Button icon="close" label={`Switch off ${one.label}`} onClick={() => switchOffAt(panel, index)} />
            </li>
          )
        })}
      </ul>
      <Button kind="quiet" onClick={() => switchAllOff(panel)} text="clear all" />
    </section>
  )
}
