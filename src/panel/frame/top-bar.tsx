import { IconButton } from '../components/index.ts'
import { nextTheme, theme } from '../data/theme.ts'
import { usePanel } from '../data/panel.ts'
import { ConnectionState } from './connection.tsx'
import { toShownKey } from './key-list.tsx'
import { openDialog } from './open-dialog.ts'
import { WorldClockView } from './world-clock.tsx'
import { WorldMenu } from './world-menu.tsx'

const themes = {
  system: { icon: 'system', label: 'System theme; switch to light' },
  light: { icon: 'sun', label: 'Light theme; switch to dark' },
  dark: { icon: 'moon', label: 'Dark theme; switch to system' },
} as const

export function TopBar() {
  const { router, surface } = usePanel()
  const { icon, label } = themes[theme.value]
  return (
    <header class="top-bar line">
      <a class="brand line" href={router.href({ view: 'overview' })} aria-label="Greenhouse: overview">
        <Leaf />
        <span>Greenhouse</span>
      </a>
      <WorldMenu />
      <WorldClockView />
      <div class="top-end line">
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

function Leaf() {
  return (
    <svg class="leaf" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d="M2.5 13.5C2.5 6 7 2.5 13.5 2.5C13.5 9 10 13 4.5 11.5" />
      <path class="leaf-vein" d="M2.5 13.5C4 10 6.5 7.5 9.5 6" />
    </svg>
  )
}
