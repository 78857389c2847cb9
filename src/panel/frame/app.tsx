import type { ReadonlySignal } from '@preact/signals'
import { Confirmations } from '../components/confirm.tsx'
import { Toasts } from '../components/toast.tsx'
import { PanelContext, type Panel } from '../data/panel.ts'
import { surfaceRoot } from '../data/surface.ts'
import { ActiveBar } from './active-bar.tsx'
import { LostBanner, RestartBanner, TokenDialog, WorldBanner } from './connection.tsx'
import type { Count } from './counts.ts'
import { KeyList } from './key-list.tsx'
import { Outlet } from './outlet.tsx'
import { openDialog } from './open-dialog.ts'
import { Palette } from './palette.tsx'
import { SideBar } from './side-bar.tsx'
import { TopBar } from './top-bar.tsx'

interface AppProps {
  readonly panel: Panel
  readonly counts: ReadonlySignal<ReadonlyMap<string, Count>>
}

export function PanelApp({ panel, counts }: AppProps) {
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
